import { escapeHtml, Markup } from '../representations/html/markup.ts'
import { isExactNumber } from '../representations/read-document.ts'
import type { Amount } from './shown.ts'

/** An amount in the one way that pages write it: grouped, two decimals, the currency behind. */
export const money = (amount: Amount, currency: string): Markup =>
  Markup.of(`<span class="money">${decimal(amount)} <small>${escapeHtml(currency)}</small></span>`)

/** `1234.5` as `1,234.50`. */
export function decimal(amount: Amount): string {
  const text = textOf(amount)
  const dot = text.indexOf('.')
  return dot === -1 ? `${grouped(text)}.00` : `${grouped(text.slice(0, dot))}.${text.slice(dot + 1).padEnd(2, '0')}`
}

/** For charts, where cents are noise: `1,234`, `56.7 k`, `1.25 M`. */
export function brief(amount: number): string {
  if (amount < 10_000) return grouped(String(Math.round(amount)))
  const rounded = Number(amount.toPrecision(3))
  const [divisor, unit] = units.find(([least]) => rounded >= least) ?? [1, '']
  return `${Number((rounded / divisor).toPrecision(3))} ${unit}`
}

const units = [
  [1e12, 'tn'],
  [1e9, 'bn'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

export function grouped(whole: string): string {
  let rest = whole
  let groups = ''
  while (rest.length > 3 && rest.at(-4) !== '-') {
    groups = `,${rest.slice(-3)}${groups}`
    rest = rest.slice(0, -3)
  }
  return rest + groups
}

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
