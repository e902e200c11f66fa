import { fault, type Kind, type Read } from './kind.ts'

const integerText = /^-?(0|[1-9]\d*)$/
const amountText = /^-?(0|[1-9]\d*)(\.\d{1,2})?$/

export interface Bounds {
  readonly min: number
  readonly max: number
}

export function integer({ min, max }: Bounds = safe): Kind<number> {
  const read = (raw: unknown): Read<number> => {
    if (typeof raw !== 'number' || !Number.isInteger(raw)) return fault('must be an integer')
    if (raw < min || raw > max) return fault(`must be between ${min} and ${max}`)
    return { value: raw === 0 ? 0 : raw }
  }
  return {
    name: 'integer',
    schema: { type: 'integer', minimum: min, maximum: max },
    nullable: false,
    read,
    readText: (text) => (integerText.test(text) ? read(Number(text)) : fault('must be an integer such as 18')),
    readFilter: readIntegerFilter,
    write: (value) => value,
  }
}

function readIntegerFilter(text: string): Read<number> {
  if (!integerText.test(text)) return fault('must be an integer such as 18')
  return isWithin(text) ? { value: Number(text) + 0 } : fault('must be between -2^53 and 2^53')
}

/** Judged on the digits: as a double, 2^53 + 1 would pass for 2^53. */
function isWithin(integer: string): boolean {
  const size = BigInt(integer)
  return size >= -LARGEST_FILTER && size <= LARGEST_FILTER
}

const LARGEST_FILTER = 2n ** 53n

const safe: Bounds = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** Money: a decimal outside, whole cents inside. Never a fraction of a cent, never a float in storage. */
export type Cents = number

export const LARGEST_AMOUNT: Cents = 1e14

export function amount({ min, max }: Bounds = { min: 0, max: LARGEST_AMOUNT }): Kind<Cents> {
  const range = `must be between ${min / 100} and ${max / 100}`
  const read = (raw: unknown): Read<Cents> => {
    if (typeof raw !== 'number' || !Number.isFinite(raw)) return fault('must be a number')
    if (raw * 100 < min || raw * 100 > max) return fault(range)
    // toFixed is exact on the double that was sent, so 0.1 + 0.2 is seen as the 17 decimals it is.
    const decimal = raw.toFixed(2)
    if (Number(decimal) !== raw) return fault('must have at most 2 decimals')
    return { value: Number(decimal.replace('.', '')) + 0 }
  }
  return {
    name: 'amount',
    schema: { type: 'number', minimum: min / 100, maximum: max / 100, multipleOf: 0.01 },
    nullable: false,
    read,
    readText: (text) => (amountText.test(text) ? read(Number(text)) : fault('must be an amount such as 99.50')),
    readFilter: readAmountFilter,
    write: (value) => value / 100,
  }
}

function readAmountFilter(text: string): Read<Cents> {
  if (!amountText.test(text)) return fault('must be an amount such as 99.50')
  const [whole = '', fraction = ''] = text.split('.')
  if (!isWithin(whole)) return fault('must be between -2^53 and 2^53')
  const cents = BigInt(whole + fraction.padEnd(2, '0'))
  // No amount that is kept comes near the ends of the safe integers, so one beyond compares as the end does.
  const value = cents > 0n ? Math.min(Number(cents), safe.max) : Math.max(Number(cents), safe.min)
  return { value: value + 0 }
}

/** Exact for every safe integer of cents, also where a double no longer is. */
export function centsToText(cents: Cents): string {
  const whole = Math.trunc(cents / 100)
  const rest = Math.abs(cents % 100)
  if (rest === 0) return String(whole)
  const sign = cents < 0 && whole === 0 ? '-' : ''
  return `${sign}${whole}.${rest % 10 === 0 ? rest / 10 : String(rest).padStart(2, '0')}`
}

export const boolean: Kind<boolean> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  nullable: false,
  read: (raw) => (typeof raw === 'boolean' ? { value: raw } : fault('must be true or false')),
  readText: (text) =>
    text === 'true' ? { value: true } : text === 'false' ? { value: false } : fault('must be true or false'),
  write: (value) => value,
}
