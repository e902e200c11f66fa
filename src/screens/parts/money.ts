import { decimalText } from '../../languages/formats.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { amountToText, decimalsOf, MOST_DECIMALS } from '../../values/kinds/money.ts'
import type { Amount } from './shown.ts'

/** An amount with grouped digits, at least the decimals of its currency, and the currency. */
export const money = (amount: Amount, currency: string, decimals = decimalsOf(currency)): Markup =>
  html`<span class="money">${decimalText(amountText(amount), decimals)} <small>${currency}</small></span>`

/** `1234.5` EUR as `1,234.50`. Further decimals, which earlier releases accepted, are shown. */
export const decimal = (amount: Amount, currency: string): Text => decimalText(amountText(amount), decimalsOf(currency))

/** Exact, where a sum of doubles is not. */
export function thousandthsOf(amount: Amount): bigint {
  const [whole = '', fraction = ''] = amountText(amount).split('.')
  return BigInt(whole + fraction.padEnd(MOST_DECIMALS, '0'))
}

export const fromThousandths = (thousandths: bigint): Amount => JSON.rawJSON(amountToText(thousandths))

export const amountText = (amount: Amount): string => (isExactNumber(amount) ? amount.rawJSON : String(amount))
