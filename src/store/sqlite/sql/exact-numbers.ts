import type { DatabaseSync } from 'node:sqlite'
import { amountToText } from '../../../values/kinds/money.ts'
import { type Aggregate, type AggregatePart, summed } from '../../sql/dialect.ts'

// SQLite's integers have 64 bits, and its sums fail beyond them. Exact numbers are texts that sort like the numbers:
// the number plus `ZERO`, which gives them a constant number of digits.

const ZERO = 10n ** 39n

const written = (number: bigint): string => String(number + ZERO)
const read = (text: string): bigint => BigInt(text) - ZERO

/** Sums of the upper and lower 32 bits: neither overflows with fewer than 2^31 rows. */
const halves = (column: string): readonly AggregatePart[] => halvesOf(column).map((half) => summed(`sum${half}`))

export const exactSum = (column: string): Aggregate => ({
  parts: halves(column),
  value: ([high, low]) => `exact_sum(${high}, ${low})`,
})

/** Totals hold both sums. */
export const halfColumns = (column: string): readonly [high: string, low: string] => [`${column}_high`, `${column}_low`]
export const halvesOf = (value: string): readonly [high: string, low: string] => [
  `(${value} >> 32)`,
  `(${value} & 4294967295)`,
]

export const keptSum = (column: string): Aggregate => ({
  parts: halfColumns(column).map((half) => summed(`sum(${half})`)),
  value: ([high, low]) => `exact_sum(${high}, ${low})`,
})

export const exactAverage = (column: string, times: number, unit: string): Aggregate => ({
  parts: [...halves(column), summed(`count(${column})`), { sql: unit, joined: 'max' }],
  value: ([high, low, count, each]) => `exact_average(${high}, ${low}, ${times}, ${count} * ${each}, ${each})`,
})

/** Registers the functions for sums and amounts. */
export function registerExactNumbers(db: DatabaseSync): void {
  const exactly = { deterministic: true, useBigIntArguments: true }
  db.function('exact_sum', exactly, (high, low) =>
    typeof high === 'bigint' && typeof low === 'bigint' ? written((high << 32n) + low) : null,
  )
  db.function('exact_average', exactly, (high, low, times, count, unit) => {
    if (typeof high !== 'bigint' || typeof low !== 'bigint') return null
    const sum = (high << 32n) + low
    return written(halfEven(sum * BigInt(Number(times)), BigInt(Number(count))) * BigInt(Number(unit)))
  })
  db.function('exact_text', exactly, (number) => (typeof number === 'string' ? String(read(number)) : null))
  db.function('amount_text', exactly, (amount, decimals) => {
    if (typeof amount === 'string') return amountToText(read(amount), Number(decimals))
    return typeof amount === 'bigint' ? amountToText(amount, Number(decimals)) : null
  })
}

/** The nearest integer to a quotient; if two are equally near, the even one. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const rest = ((dividend % divisor) + divisor) % divisor
  const floor = (dividend - rest) / divisor
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n !== 0n)
  return isUp ? floor + 1n : floor
}
