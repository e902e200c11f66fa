import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (raw: unknown): raw is string => typeof raw === 'string' && uuidText.test(raw)

/** RFC 9562 §4: read in either case, written in lower case. Other text is returned unchanged. */
function lowerUuid(raw: unknown): unknown {
  const lower = typeof raw === 'string' ? raw.toLowerCase() : raw
  return isUuid(lower) ? lower : raw
}

export const isSameId = (one: unknown, other: unknown): boolean => lowerUuid(one) === lowerUuid(other)

function read(raw: unknown): Read<string> {
  // Most are in lower case already.
  if (isUuid(raw)) return { value: raw }
  const value = lowerUuid(raw)
  return isUuid(value) ? { value } : fault('malformed', { wants: 'uuid' })
}

export const uuid: Kind<string> = {
  name: 'uuid',
  schema: { type: 'string', format: 'uuid' },
  nullable: false,
  read,
  readText: read,
  write: (value) => value,
}

/** RFC 9562 version 7: milliseconds first, so that ids sort by their time of creation. */
export function uuidV7(milliseconds: number, random: Uint8Array): string {
  const time = milliseconds.toString(16).padStart(12, '0')
  // Uint8Array's own toHex is missing in Node 24.
  const tail = Buffer.from(random.buffer, random.byteOffset, 10).toString('hex')
  const variant = '89ab'[(random[9] ?? 0) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(3, 6)}-${tail.slice(6, 18)}`
}

/** The time that a UUIDv7 begins with. */
export const millisecondsIn = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
