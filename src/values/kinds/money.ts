import { fault, type Reason, reason } from '../faults/fault.ts'
import { isExactNumber, numberIn } from '../json/exact-numbers.ts'
import type { Json } from '../json/json.ts'
import { inDigits } from '../json/number-literal.ts'
import type { Kind, Read } from './kind.ts'
import { type Bounds, beyondFilters, isWithin } from './number.ts'

/** Money: a decimal in documents, whole thousandths inside. Storage never holds a float. */
export type Thousandths = number

/** Totals stored by an earlier release may lie beyond the safe integers; only those are bigints. decisions/0018 */
export type Total = Thousandths | bigint

/** No currency has more decimals than this. */
export const MOST_DECIMALS = 3

export const LARGEST_AMOUNT: Thousandths = 1e15

/** Reads up to three decimals; `decimalsFault` checks how many the currency allows. */
export const amount = (bounds: Bounds = { min: 0, max: LARGEST_AMOUNT }): Kind<Thousandths> => scaled(bounds)

/** The amount of a currency for one unit of another: more than 0, with eight decimals, which a double always holds. */
export const rate = (): Kind<number> => scaled({ min: 1, max: 1e14 }, 8)

/** A decimal that is no money, of either sign. */
export const decimal = (): Kind<number> => scaled({ min: -9e15, max: 9e15 }, 6)

/** A decimal in documents, a whole number of its smallest unit inside. */
function scaled({ min, max }: Bounds, decimals = MOST_DECIMALS): Kind<number> {
  const unit = 10 ** decimals
  const isMoney = decimals === MOST_DECIMALS
  const tooFine = fault('too-many-decimals', { max: decimals, ...(isMoney && { wants: 'money' }) })
  const notAnAmount = fault('malformed', { wants: isMoney ? 'amount' : 'decimal' })
  const pattern = new RegExp(`^-?(0|[1-9]\\d*)(\\.\\d{1,${decimals}})?$`)
  const positive = min > 0
  const outOfRange = fault('out-of-range', { ...(positive ? { above: 0 } : { min: min / unit }), max: max / unit })
  const fromDigits = (digits: string): Read<number> => {
    if (!pattern.test(digits)) return tooFine
    const units = Number(amountFromText(digits, decimals))
    return units < min || units > max ? outOfRange : { value: units + 0 }
  }
  const read = (raw: unknown): Read<number> => {
    if (isExactNumber(raw)) return fromDigits(inDigits(raw.rawJSON))
    if (typeof raw !== 'number') return fault('type', { wants: 'number' })
    if (raw * unit < min || (positive && raw <= 0) || raw * unit > max) return outOfRange
    const units = Math.round(raw * unit)
    return isQuotient(units) && units / unit === raw ? { value: units + 0 } : fromDigits(inDigits(String(raw)))
  }
  const readFilter = (text: string): Read<number> => {
    if (!pattern.test(text)) return notAnAmount
    if (!isWithin(text.split('.')[0] ?? '')) return beyondFilters
    const units = Number(amountFromText(text, decimals))
    // A total beyond the safe integers, written by an earlier release, compares as the largest safe one. So do filters.
    return { value: Math.max(Math.min(units, Number.MAX_SAFE_INTEGER), -Number.MAX_SAFE_INTEGER) + 0 }
  }
  return {
    name: 'amount',
    schema: {
      type: 'number',
      ...(positive ? { exclusiveMinimum: 0 } : { minimum: min / unit }),
      maximum: max / unit,
      ...(!isMoney && { description: `Has at most ${decimals} decimals.` }),
    },
    nullable: false,
    ...(!isMoney && { decimals }),
    read,
    readText(text) {
      return pattern.test(text) ? fromDigits(text) : notAnAmount
    },
    readFilter,
    write: (value: Total) => (isQuotient(value) ? value / unit : numberIn(amountToText(value, decimals))) as Json,
  }
}

/** The same for totals, which may be larger if an earlier release wrote them. */
export const total = (max: Thousandths): Kind<Total> => ({ ...amount({ min: 0, max }), isTotal: true })

/** A decimal of at most fifteen digits is the double that the division gives. */
const isQuotient = (units: Total): units is number => typeof units === 'number' && Math.abs(units) < 1e15

/** Exact for every integer of the smallest unit, also if a double of the decimal is not. */
export function amountToText(units: Total, decimals = MOST_DECIMALS): string {
  if (typeof units === 'bigint') return digitsToText(String(units), decimals)
  const one = 10 ** decimals
  // A double distinguishes decimals of 15 digits, so the quotient is written exactly.
  const isQuotientExact = units % one === 0 || (decimals === MOST_DECIMALS && Math.abs(units) < 1e15)
  return isQuotientExact ? String(units / one) : digitsToText(String(units), decimals)
}

/** The integer of the smallest unit that a decimal stands for; the inverse of `amountToText`. */
export function amountFromText(text: string, decimals = MOST_DECIMALS): Total {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = whole + fraction.padEnd(decimals, '0')
  const units = Number(digits)
  return Number.isSafeInteger(units) ? units : BigInt(digits)
}

function digitsToText(units: string, decimals: number): string {
  const sign = units.startsWith('-') ? '-' : ''
  const digits = units.slice(sign.length).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

/** The reason why a currency cannot have this amount, or undefined. */
export function decimalsFault(value: Thousandths, currency: string): Reason | undefined {
  if (value % unitOf(currency) === 0) return undefined
  const max = decimalsOf(currency)
  return reason('too-many-decimals', { max, currency, ...(max === 0 && { wants: 'integer' }) })
}

/** ISO 4217's minor unit, three decimals at most. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2

const decimals: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD CLF IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, MOST_DECIMALS] as const),
])

/** Its smallest amount. */
export const unitOf = (currency: string): Thousandths => 10 ** (MOST_DECIMALS - decimalsOf(currency))

/** The unit of most currencies, and the currencies that have another. */
export const usualUnit: Thousandths = unitOf('')
export const otherUnits: ReadonlyMap<Thousandths, readonly string[]> = Map.groupBy(decimals.keys(), unitOf)
