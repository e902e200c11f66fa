import { unitOf } from '../../values/kinds/money.ts'

/** Converts amounts of several currencies to sums in one. decisions/0047 */
export interface Reporting {
  readonly currency: string
  /** The currencies that sums can be in. */
  readonly choices: readonly string[]
  /** The day of the rates. */
  readonly on: string
  /** The ids of those rates. */
  readonly inForce: ReadonlySet<string>
  /** Thousandths of the reporting currency, rounded half to even to its decimals; undefined without a rate. */
  readonly convert: (thousandths: bigint, currency: string) => bigint | undefined
}

/** A rate as its document shows it. */
export interface ShownRate {
  readonly id: string
  readonly currency: string
  readonly perUnit: number
  readonly since: string
  readonly createdAt: string
}

export interface ReportingWish {
  /** The currency that the rates refer to. */
  readonly base: string
  /** The reader's choice; without a rate for it the sums are in the base. */
  readonly chosen?: string | undefined
  readonly on: string
}

/** The base is always worth one of itself, whatever its rate says. */
export function reportingAt(rates: readonly ShownRate[], { base, chosen, on }: ReportingWish): Reporting {
  const held = ratesInForce(rates, on)
  const perUnit = new Map([...held].map(([each, rate]) => [each, unitsOf(rate)]))
  perUnit.set(base, ONE)
  const currency = chosen !== undefined && perUnit.has(chosen) ? chosen : base
  const to = perUnit.get(currency) ?? ONE
  const unit = BigInt(unitOf(currency))
  return {
    currency,
    choices: [...perUnit.keys()].toSorted(),
    on,
    inForce: new Set([...held.values()].map(({ id }) => id)),
    convert(thousandths, from) {
      if (from === currency) return thousandths
      const rate = perUnit.get(from)
      return rate && roundedQuotient(thousandths * to, rate * unit) * unit
    },
  }
}

/** Rates have eight decimals. */
const DECIMALS = 8
const ONE = 10n ** BigInt(DECIMALS)

/** The latest rate of each currency on that day; of two with the same day, the one created later. */
function ratesInForce(rates: readonly ShownRate[], on: string): ReadonlyMap<string, ShownRate> {
  const begun = rates.filter(({ since }) => since <= on).toSorted(byBeginning)
  return new Map(begun.map((rate) => [rate.currency, rate]))
}

const unitsOf = ({ perUnit }: ShownRate): bigint => BigInt(perUnit.toFixed(DECIMALS).replace('.', ''))

function byBeginning(a: ShownRate, b: ShownRate): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0
}

/** Half to even, as averages are rounded. Both numbers are not negative. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor
  const twice = (dividend % divisor) * 2n
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole
}

/** An exact amount in whole thousandths. */
export interface CurrencySum {
  readonly currency: string
  readonly value: bigint
}

/** A sum in the reporting currency, and separately the sums of currencies without a rate, in order. */
export interface ReportedSum {
  readonly value: bigint
  readonly apart: readonly CurrencySum[]
}

export function reportedSum(sums: readonly CurrencySum[], { convert }: Pick<Reporting, 'convert'>): ReportedSum {
  let value = 0n
  const apart = new Map<string, bigint>()
  for (const sum of sums) {
    const converted = convert(sum.value, sum.currency)
    if (converted !== undefined) value += converted
    else apart.set(sum.currency, (apart.get(sum.currency) ?? 0n) + sum.value)
  }
  return {
    value,
    apart: [...apart].map(([currency, each]) => ({ currency, value: each })).toSorted(byCurrency),
  }
}

/** Adds sums with the same reporting currency. */
export const totalOf = (sums: readonly ReportedSum[]): ReportedSum => ({
  ...reportedSum(
    sums.flatMap(({ apart }) => apart),
    { convert: () => undefined },
  ),
  value: sums.reduce((all, { value }) => all + value, 0n),
})

const byCurrency = (a: CurrencySum, b: CurrencySum): number => (a.currency < b.currency ? -1 : 1)
