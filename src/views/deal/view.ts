import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { type EveryForm, everyForm } from '../operation/every-form.ts'
import { details, quiet } from '../parts/details.ts'
import { dueMark, stageMark, statusMarks } from '../parts/marks.ts'
import { dateMarkup, instantMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import type { ShownCustomer, ShownDeal, ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import type { Addresses, View } from '../parts/visit.ts'
import { ledger } from './ledger.ts'
import { type OperationOffer, offersMarkup } from './offers.ts'
import { type Refused, refusedMarkup } from './refused.ts'

export interface DealPage {
  readonly deal: ShownDeal
  readonly customer: ShownCustomer | undefined
  readonly offers: readonly OperationOffer[]
  /** Latest first. */
  readonly history: readonly ShownEntry[]
  readonly hasMoreHistory: boolean
  /** The entries of the ledger, oldest first. */
  readonly postings: readonly ShownEntry[]
  /** Nothing for a deleted deal. */
  readonly everyForm: EveryForm | undefined
  /** The panel of its tasks. */
  readonly tasks: View
  /** A form that was sent and refused. */
  readonly refused?: Refused
  readonly now: string
  readonly addresses: Addresses
}

export function dealPage(page: DealPage): Markup {
  const { deal, offers, history, postings, addresses, refused } = page
  return html`${head(page)}
<div id="refusal" data-live>${refused && refusedMarkup(refused, deal, addresses)}</div>
<div class="columns">
<div>
${deal.description !== '' && html`<section class="panel" id="description" data-live><h2>Description</h2><p class="prose">${deal.description}</p></section>\n`}<section class="panel" aria-labelledby="ops"><h2 id="ops">What you can do</h2>
<div id="offers" data-live="unless-typing">${offersMarkup(offers)}</div></section>
<section class="panel" id="ledger" data-live aria-labelledby="ledger-title"><h2 id="ledger-title">Money</h2>${ledger(deal, postings)}</section>
</div>
<div>
${page.tasks()}<section class="panel" id="facts" data-live aria-labelledby="facts-title"><h2 id="facts-title">Details</h2>${dealDetails(page)}</section>
<section class="panel" id="history" data-live aria-labelledby="history-title"><h2 id="history-title">History</h2>${timeline(
    history,
    deal,
    addresses,
  )}${page.hasMoreHistory && html`<p><a href="${addresses.ofDeal(deal.id, 'history')}">All of the history</a></p>`}</section>
</div>
</div>
${page.everyForm && everyForm(page.everyForm)}`
}

function head({ deal, addresses, now }: DealPage): Markup {
  return html`<header class="head" data-watch="${deal.id}">
<div id="title" data-live><p class="crumbs"><a href="${addresses.board}">Board</a> / <a href="${addresses.deals}">Deals</a></p>
<h1>${deal.name}</h1>
<p class="marks">${statusMarks(deal)} ${stageMark(deal.stage)} ${money(deal.price, deal.currency)}</p>
${deal.held && html`<p class="notice held"><b>On hold:</b> ${deal.holdReason ?? ''}</p>\n`}${
  deal.closingReason !== null && html`<p class="notice">${label(deal.status)}: ${deal.closingReason}</p>\n`
}${deal.status === 'open' && deal.completionDate !== null && html`<p class="quiet">To be completed ${dueMark(deal, now)}</p>\n`}</div>
</header>
`
}

function dealDetails({ deal, customer, now, addresses }: DealPage): Markup {
  return details([
    ['Customer', customerFact(deal, customer, addresses)],
    [
      'Owner',
      deal.owner === null ? quiet('nobody') : html`<a href="${addresses.person(deal.owner)}">${deal.owner}</a>`,
    ],
    ['Price', money(deal.price, deal.currency)],
    ['Completion date', dueMark(deal, now) ?? quiet('not set')],
    ['Completed', deal.completedOn !== null && dateMarkup(deal.completedOn)],
    ['Accepted by', deal.acceptedBy ?? false],
    ['Created', instantMarkup(deal.createdAt)],
    ['Changed', instantMarkup(deal.updatedAt)],
    ['Revision', deal.revision],
    ['Id', html`<code>${deal.id}</code>`],
  ])
}

function customerFact({ customerId }: ShownDeal, customer: ShownCustomer | undefined, addresses: Addresses): Markup {
  if (customerId === null) return quiet('none')
  const more = [customer?.email, customer?.country].filter((each) => each !== undefined && each !== null).join(', ')
  return html`<a href="${addresses.customer(customerId)}">${customer?.name ?? `Customer ${customerId}`}</a>${
    more !== '' && html`<br><span class="quiet">${more}</span>`
  }`
}
