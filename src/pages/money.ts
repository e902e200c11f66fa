import { escapeHtml, Markup } from '../representations/html/markup.ts'
import { isExactNumber } from '../representations/read-document.ts'
import type { Amount } from './shown.ts'

/** An amount in the one way that pages write it: grouped, two decimals, the currency behind. */
export const money = (amount: Amount, currency: string): Markup =>
  Markup.of(`<span class="money">${decimal(amount)} <small>${escapeHtml(currency)}</small></span>`)

/** `1234.5` as `1,234.50`. */
export function decimal(amount: Amount): string {
  const [whole = '', fraction = ''] = textOf(amount).split('.')
  return `${grouped(whole)}.${fraction.padEnd(2, '0')}`
}

/** For charts, where cents are noise: `1,234`, `56.7 k`, `1.25 M`. */
export function brief(amount: number): string {
  if (amount < 10_000) return grouped(String(Math.round(amount)))
  const [divisor, unit] = amount < 1e6 ? [1e3, 'k'] : amount < 1e9 ? [1e6, 'M'] : [1e9, 'bn']
  return `${Number((amount / divisor).toPrecision(3))} ${unit}`
}

export const grouped = (whole: string): string =>
  whole.length < 4 ? whole : whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** Exact, where a sum of doubles is not. */
export function centsOf(amount: Amount): bigint {
  const [whole = '', fraction = ''] = textOf(amount).split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}

export const fromCents = (cents: bigint): Amount => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return JSON.rawJSON(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

const textOf = (amount: Amount): string => (isExactNumber(amount) ? amount.rawJSON : String(amount))
