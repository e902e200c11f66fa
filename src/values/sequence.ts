import { fault, type Kind, type Read } from './kind.ts'

/** Digits of a sequence outside, so that text order is feed order. */
export const SEQUENCE_DIGITS = 16

/** The place before the first event, on either store. */
export const BEFORE_ALL = '0'.repeat(16)

/** Whether the first of two places is not behind the second. */
export const isUpTo = (place: string, other: string): boolean => place.padStart(64, '0') <= other.padStart(64, '0')

const sequenceText = /^\d{16}$/

const read = (raw: unknown): Read<number> =>
  typeof raw === 'string' && sequenceText.test(raw) && Number.isSafeInteger(Number(raw))
    ? { value: Number(raw) }
    : fault('must be a sequence as the feed gives it, such as 0000000000000042')

/** An event's place in the feed: an integer inside, opaque text outside. */
export const sequence: Kind<number> = {
  name: 'text',
  schema: { type: 'string' },
  nullable: false,
  read,
  readText: read,
  write: (value) => String(value).padStart(SEQUENCE_DIGITS, '0'),
}
