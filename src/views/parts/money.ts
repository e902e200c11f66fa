import { escapeHtml, Markup } from '../../representations/html/markup.ts'
import { isExactNumber } from '../../representations/read-document.ts'
import { amountToText, decimalsOf, MOST_DECIMALS } from '../../values/kinds/money.ts'
import type { Amount } from './shown.ts'

/** An amount with grouped digits, the decimals of its currency, and the currency. */
export const money = (amount: Amount, currency: string): Markup =>
  Markup.of(`<span class="money">${decimal(amount, currency)} <small>${escapeHtml(currency)}</small></span>`)

/** `1234.5` EUR as `1,234.50`. Further decimals, which earlier releases accepted, are shown. */
export function decimal(amount: Amount, currency: string): string {
  const [whole = '', kept = ''] = textOf(amount).split('.')
  const fraction = kept.replace(/0+$/, '').padEnd(decimalsOf(currency), '0')
  return fraction === '' ? grouped(whole) : `${grouped(whole)}.${fraction}`
}

/** Short, for charts: `1,234`, `56.7 k`, `1.25 M`. */
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
export function thousandthsOf(amount: Amount): bigint {
  const [whole = '', fraction = ''] = textOf(amount).split('.')
  return BigInt(whole + fraction.padEnd(MOST_DECIMALS, '0'))
}

export const fromThousandths = (thousandths: bigint): Amount => JSON.rawJSON(amountToText(thousandths))

const textOf = (amount: Amount): string => (isExactNumber(amount) ? amount.rawJSON : String(amount))
