import { fault, type Kind, type Read } from './kind.ts'
import { type Bounds, isWithin } from './number.ts'

/** Money: a decimal in documents, whole thousandths inside. Storage never holds a float. */
export type Thousandths = number

/** Totals kept by an earlier release may lie beyond the safe integers; only those are bigints. decisions/0018 */
export type Total = Thousandths | bigint

/** No currency is kept finer than this. */
export const MOST_DECIMALS = 3

export const LARGEST_AMOUNT: Thousandths = 1e15

const amountText = /^-?(0|[1-9]\d*)(\.\d{1,3})?$/
const tooFine = fault('must have at most as many decimals as its currency')
const notAnAmount = fault('must be an amount such as 99.50')

/** Reads up to three decimals; `decimalsFault` checks how many the currency allows. */
export function amount({ min, max }: Bounds = { min: 0, max: LARGEST_AMOUNT }): Kind<Thousandths> {
  const positive = min > 0
  const largest = amountToText(max)
  const range = positive ? `must be more than 0 and at most ${largest}` : `must be between 0 and ${largest}`
  const read = (raw: unknown): Read<Thousandths> => {
    if (typeof raw !== 'number') return fault('must be a number')
    // The literal had more decimals than a double holds: `parse-json` reads it as NaN.
    if (Number.isNaN(raw)) return tooFine
    if (raw < 0 || (positive && raw === 0) || raw * 1000 > max) return fault(range)
    // toFixed is exact on the double, so 0.1 + 0.2 shows its 17 decimals.
    const decimal = raw.toFixed(MOST_DECIMALS)
    if (Number(decimal) !== raw) return tooFine
    return { value: Number(decimal.replace('.', '')) + 0 }
  }
  return {
    name: 'amount',
    schema: {
      type: 'number',
      ...(positive ? { exclusiveMinimum: 0 } : { minimum: 0 }),
      maximum: max / 1000,
    },
    nullable: false,
    read,
    readText: (text) => (amountText.test(text) ? read(Number(text)) : notAnAmount),
    readFilter: readAmountFilter,
    write: writeAmount,
  }
}

/** The same for totals, which may be larger if an earlier release wrote them. */
export const total = (max: Thousandths): Kind<Total> => amount({ min: 0, max })

const writeAmount = (value: Total): number => (typeof value === 'number' ? value / 1000 : Number(amountToText(value)))

function readAmountFilter(text: string): Read<Thousandths> {
  if (!amountText.test(text)) return notAnAmount
  const [whole = '', fraction = ''] = text.split('.')
  if (!isWithin(whole)) return fault('must be between -2^53 and 2^53')
  const thousandths = Number(whole + fraction.padEnd(MOST_DECIMALS, '0'))
  // A total beyond the safe integers, written by an earlier release, compares as the largest safe one. So do filters.
  const value = Math.max(Math.min(thousandths, Number.MAX_SAFE_INTEGER), -Number.MAX_SAFE_INTEGER)
  return { value: value + 0 }
}

/** Exact for every integer of thousandths, also where a double of the decimal no longer is. */
export function amountToText(thousandths: Total): string {
  if (typeof thousandths === 'bigint') return digitsToText(String(thousandths))
  return thousandths % 1000 === 0 ? String(thousandths / 1000) : digitsToText(String(thousandths))
}

function digitsToText(thousandths: string): string {
  const sign = thousandths.startsWith('-') ? '-' : ''
  const digits = thousandths.slice(sign.length).padStart(MOST_DECIMALS + 1, '0')
  const fraction = digits.slice(-MOST_DECIMALS).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -MOST_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** The reason why a currency cannot have this amount, or undefined. */
export function decimalsFault(value: Thousandths, currency: string): string | undefined {
  const decimals = decimalsOf(currency)
  if (value % unitOf(currency) === 0) return undefined
  if (decimals === 0) return `must have no decimals in ${currency}`
  return `must have at most ${decimals} decimals in ${currency}`
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
