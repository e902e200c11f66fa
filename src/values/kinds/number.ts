import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

const integerText = /^-?(0|[1-9]\d*)$/
const notAnInteger = fault('malformed', { wants: 'integer' })

export interface Bounds {
  readonly min: number
  readonly max: number
}

export function integer({ min, max }: Bounds = safe): Kind<number> {
  const read = (raw: unknown): Read<number> => {
    if (typeof raw !== 'number' || !Number.isInteger(raw)) return fault('type', { wants: 'integer' })
    if (raw < min || raw > max) return fault('out-of-range', { min, max })
    return { value: raw === 0 ? 0 : raw }
  }
  return {
    name: 'integer',
    schema: { type: 'integer', minimum: min, maximum: max },
    nullable: false,
    read,
    readText: (text) => (integerText.test(text) ? read(Number(text)) : notAnInteger),
    readFilter: readIntegerFilter,
    write: (value) => value,
  }
}

function readIntegerFilter(text: string): Read<number> {
  if (!integerText.test(text)) return notAnInteger
  return isWithin(text) ? { value: Number(text) + 0 } : beyondFilters
}

/** Compares digits: as a double, 2^53 + 1 equals 2^53. */
export function isWithin(integer: string): boolean {
  // Reading many digits takes more than linear time.
  if (integer.length > LONGEST_FILTER) return false
  const size = BigInt(integer)
  return size >= -LARGEST_FILTER && size <= LARGEST_FILTER
}

const LARGEST_FILTER = 2n ** 53n
export const beyondFilters = fault('out-of-range', { min: -Number(LARGEST_FILTER), max: Number(LARGEST_FILTER) })
const LONGEST_FILTER = `-${LARGEST_FILTER}`.length

const safe: Bounds = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** The number of a thing or a revision, from 1. */
export const ordinal = integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
export const isOrdinal = (raw: unknown): raw is number => 'value' in ordinal.read(raw)

const LAST_POSITION = 1_000_000

/** The place of something among others in a list that admins arrange. */
export const position = integer({ min: -LAST_POSITION, max: LAST_POSITION })

/** The position behind all of these, as far as there is one. */
export const positionBehind = (positions: readonly number[]): number =>
  Math.min(LAST_POSITION, Math.max(-1, ...positions) + 1)

const notABoolean = fault('type', { wants: 'boolean' })

export const boolean: Kind<boolean> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  nullable: false,
  read: (raw) => (typeof raw === 'boolean' ? { value: raw } : notABoolean),
  readText: (text) => (text === 'true' ? { value: true } : text === 'false' ? { value: false } : notABoolean),
  write: (value) => value,
}
