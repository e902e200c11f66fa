import { html, type Markup } from '../representations/html/markup.ts'
import { type EveryForm, everyForm } from './every-form.ts'
import { statusMarks } from './marks.ts'
import { type Offer, offerForm } from './offers.ts'
import type { Places } from './places.ts'
import type { ShownDeal } from './shown.ts'

export interface OperationPage {
  readonly deal: ShownDeal
  readonly offer: Offer
  /** All operations on the deal, this one included. */
  readonly others: readonly Offer[]
  readonly everyForm: EveryForm
  readonly places: Places
}

/** One operation on a deal: its form, and the same request in every other form. */
export function operationPage({ deal, offer, others, everyForm: samples, places }: OperationPage): Markup {
  return html`<header class="head" data-watch="${deal.id}"><div><p class="crumbs"><a href="${places.deals}">Deals</a> / <a href="${places.deal(deal.id)}">${deal.name}</a></p>
<h1>${offer.title}</h1><p class="marks">${statusMarks(deal)}</p></div></header>
<nav aria-label="Operations"><ul class="chips">${others.map(
    ({ name, title, everyForm, ...other }) =>
      html`<li><a href="${everyForm}"${name === offer.name && html` aria-current="page"`}${'whyNot' in other && html` class="withheld"`}>${title}</a></li>`,
  )}</ul></nav>
<section class="panel" aria-labelledby="do"><h2 id="do">With a form</h2>
${'form' in offer ? offerForm(offer, 'op', { alone: true }) : html`<p class="empty">Not now: ${offer.whyNot}.</p>`}</section>
${everyForm(samples)}`
}
