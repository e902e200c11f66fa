import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { MOST_DECIMALS } from '../../values/kinds/money.ts'
import { dateMarkup } from '../parts/moment.ts'
import { fromThousandths, money } from '../parts/money.ts'
import type { CurrencySum, ReportedSum, Reporting } from './reporting.ts'

/** A sum in the reporting currency, followed by the separate ones. */
export function sumMarkup({ value, apart }: ReportedSum, { currency }: Pick<Reporting, 'currency'>): Markup {
  const all = value === 0n && apart.length > 0 ? apart : [{ currency, value }, ...apart]
  return html`${all.map((sum, at) => html`${at > 0 && ' + '}${sumOfOne(sum)}`)}`
}

/** The same as a figure: a line for each currency, so that none is added to another. */
export function figureSum({ value, apart }: ReportedSum, { currency }: Pick<Reporting, 'currency'>): Markup {
  const [first, ...others] = value === 0n && apart.length > 0 ? apart : [{ currency, value }, ...apart]
  return html`${first && sumOfOne(first)}${others.map((sum) => html` <small class="apart">${sumOfOne(sum)}</small>`)}`
}

/** Nobody reads the cents of a sum, and the sums of a column have the same decimals. */
const sumOfOne = ({ currency, value }: CurrencySum): Markup => money(fromThousandths(wholeOf(value)), currency, 0)

const WHOLE = 10n ** BigInt(MOST_DECIMALS)

const wholeOf = (value: bigint): bigint => ((value + WHOLE / 2n) / WHOLE) * WHOLE

export interface ReportingChoice {
  readonly reporting: Reporting
  /** The currencies without a rate among the sums of the page. */
  readonly apart: Iterable<string>
  /** The page, as a path of this service with its query, to which the choice returns. */
  readonly back: string
  readonly addresses: Addresses
}

/** The choice of the reporting currency, and a note about the rates. */
export function reportingChoice({ reporting, apart, back, addresses }: ReportingChoice): Markup {
  const { currency, choices, on } = reporting
  const without = [...new Set(apart)].toSorted().join(', ')
  const rates = html`<a href="${addresses.rates}">${say('Rates')}</a>`
  const options = choices.map((each) => html`<option${each === currency && html` selected`}>${each}</option>`)
  return html`<form class="reporting" method="post" action="${addresses.reportingCurrency}">
<input type="hidden" name="return" value="${back}">
<label for="reporting-currency">${say('Totals in')}</label>
<select id="reporting-currency" name="currency">${options}</select>
<button type="submit">${say('Show')}</button>
<span class="quiet">${phrase('{rates} of {day}', { rates, day: dateMarkup(on) })}${
    without !== '' && html`. ${say('No rate for {currencies}: shown separately.', { currencies: without })}`
  }</span>
</form>
`
}
