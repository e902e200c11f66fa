import { dateText, decimalText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { landing } from '../../representations/html/layout.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { foldedForm, framedForm } from '../page-forms/framed-form.ts'
import { dateMarkup } from '../parts/moment.ts'
import type { PageLinks } from '../parts/visit.ts'
import type { ShownRate } from '../reporting/reporting.ts'

export interface ListedRate extends ShownRate {
  readonly revision: number
}

export interface RatesPage {
  readonly rates: readonly (ListedRate & {
    readonly isInForce: boolean
    /** Nothing for callers who may not change it. */
    readonly form: DocumentForm | undefined
  })[]
  /** The currency that rates are per unit of. */
  readonly base: string
  readonly links: PageLinks
  readonly creation: DocumentForm | undefined
}

/** What one unit of the service's currency is in others. */
export function ratesPage({ rates, base, links, creation }: RatesPage): Markup {
  const mayChange = rates.some(({ form }) => form !== undefined)
  return html`<header class="head">
<div><h1>${say('Rates')}</h1><p class="quiet">${say('What one {currency} is in other currencies. Sums of pages use the rate of the day.', { currency: base })}</p></div>
${creation && foldedForm(creation, say('New rate'))}</header>
<div${landing.list} data-live="unless-typing">
${
  rates.length === 0
    ? html`<p class="empty">${say('No rates yet. Currencies stay apart in sums.')}</p>`
    : html`<div class="table" role="group" aria-labelledby="rates-caption" tabindex="0">
<table>
<caption id="rates-caption">${say('1 {currency} is', { currency: base })}</caption>
<thead><tr><th scope="col">${say('Currency')}</th><th scope="col" class="number">${say('Rate')}</th><th scope="col">${say('Since')}</th>${mayChange && html`<th scope="col">${say('Change')}</th>`}</tr></thead>
<tbody>
${rates.map(
  ({ id, currency, perUnit, since, isInForce, form }) =>
    html`<tr><th scope="row" class="brief">${currency}${isInForce && html` <span class="mark done">${say('In force')}</span>`}</th><td class="number">${decimalText(String(perUnit), 4)}</td><td>${dateMarkup(since)}</td>${
      form &&
      html`<td><details class="inline" id="rate-${id}"><summary>${say('Change')}</summary>${framedForm({ ...form, title: say('Change: {what}', { what: joined([currency, dateText(since)], ', ') }) }, `rate-form-${id}`)}</details></td>`
    }</tr>
`,
)}</tbody>
</table>
</div>
`
}${pager(links)}</div>
`
}
