import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { type OperationOffer, offerForm } from '../deal/offers.ts'
import { statusMarks } from '../parts/marks.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'
import { type EveryForm, everyForm } from '../reference/every-form.ts'

export interface OperationPage {
  readonly deal: ShownDeal
  readonly offer: OperationOffer
  /** All operations on the deal, this one included. */
  readonly others: readonly OperationOffer[]
  readonly everyForm: EveryForm
  readonly addresses: Addresses
}

/** One operation on a deal: its form, and the same request in every other form. */
export function operationPage({ deal, offer, others, everyForm: samples, addresses }: OperationPage): Markup {
  return html`<header class="head" data-watch="${deal.id}"><div><p class="crumbs"><a href="${addresses.deals}">${say('Deals')}</a> / <a href="${addresses.deal(deal.id)}">${deal.name}</a> / <a href="${addresses.ofDeal(deal.id, 'actions')}">${say('What can be done')}</a></p>
<h1>${say(offer.operation.title)}</h1><p class="marks">${statusMarks(deal)}</p></div></header>
<nav aria-label="${say('Operations')}"><ul class="chips">${others.map(
    ({ operation, everyForm, ...other }) =>
      html`<li><a href="${everyForm}"${operation === offer.operation && html` aria-current="page"`}${'whyNot' in other && html` class="withheld"`}>${say(operation.title)}</a></li>`,
  )}</ul></nav>
<section class="panel" aria-labelledby="do"><h2 id="do">${say('With a form')}</h2>
${
  'form' in offer
    ? offerForm(offer, 'op')
    : html`<p class="empty">${phrase('Not possible now: {why}.', { why: told(offer.whyNot) })}</p>`
}</section>
${everyForm(samples)}`
}
