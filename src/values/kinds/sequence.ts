import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

/** Fixed numbers of digits make text order feed order: SQLite's sequences, and PostgreSQL's. */
export const SEQUENCE_DIGITS = { sqlite: 16, postgres: 39 } as const

/** The position before the first event, on either store. */
export const BEFORE_ALL = '0'.repeat(SEQUENCE_DIGITS.sqlite)

/** Whether the first of two positions is at or before the second. */
export const isUpTo = (place: string, other: string): boolean => place.padStart(64, '0') <= other.padStart(64, '0')

const sequenceText = new RegExp(`^(?:\\d{${SEQUENCE_DIGITS.sqlite}}|\\d{${SEQUENCE_DIGITS.postgres}})$`)

const read = (raw: unknown): Read<string> =>
  typeof raw === 'string' && sequenceText.test(raw) ? { value: raw } : fault('malformed', { wants: 'sequence' })

/** An event's position in the feed: opaque text. */
export const sequence: Kind<string> = {
  name: 'text',
  schema: { type: 'string' },
  nullable: false,
  read,
  readText: read,
  write: (value) => value,
}
