import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { dueMark, stageMark, statusMarks } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import type { ShownCustomer, ShownDeal, ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import type { Addresses, View } from '../parts/visit.ts'
import { dealFacts } from './facts.ts'
import { ledger } from './ledger.ts'
import { type OperationOffer, offersMarkup } from './offers.ts'
import { type Refused, refusedMarkup } from './refused.ts'

export interface DealPage {
  readonly resource: Resource
  readonly deal: ShownDeal
  readonly customer: ShownCustomer | undefined
  readonly offers: readonly OperationOffer[]
  /** Latest first. */
  readonly history: readonly ShownEntry[]
  readonly hasMoreHistory: boolean
  /** The entries of the ledger, oldest first. */
  readonly postings: readonly ShownEntry[]
  /** The panel of its tasks. */
  readonly tasks: View
  /** A form that was sent and refused. */
  readonly refused?: Refused
  readonly now: string
  /** The day of whoever reads. */
  readonly today: string
  readonly addresses: Addresses
}

export function dealPage(page: DealPage): Markup {
  const { resource, deal, offers, history, postings, addresses, refused } = page
  return html`${head(page)}
<div id="refusal" data-live="when-sent">${refused && refusedMarkup(refused, page)}</div>
<div class="columns">
<div>
<section class="panel" aria-labelledby="facts-title"><h2 id="facts-title">${say('Details')}</h2><div id="facts" data-live="unless-typing">${dealFacts(page)}</div></section>
<section class="panel" aria-labelledby="ops"><h2 id="ops">${say('What you can do')}</h2>
<div id="offers" data-live="unless-typing">${offersMarkup(offers, deal, page.now)}</div></section>
<section class="panel" id="ledger" data-live aria-labelledby="ledger-title"><h2 id="ledger-title">${say('Money')}</h2>${ledger(deal, postings, resource)}</section>
</div>
<div>
${page.tasks()}<section class="panel" id="history" data-live aria-labelledby="history-title"><h2 id="history-title">${say('History')}</h2>${timeline(
    history,
    { ...deal, resource },
    addresses,
  )}${page.hasMoreHistory && html`<p><a href="${addresses.ofDeal(deal.id, 'history')}">${say('All of the history')}</a></p>`}</section>
</div>
</div>
<p class="quiet">${phrase('{about}: {what}', {
    about: say('For developers'),
    what: html`<a href="${addresses.ofDeal(deal.id, 'actions')}">${say('everything that can be done, as API requests')}</a>`,
  })}</p>
`
}

function head({ deal, addresses, today }: DealPage): Markup {
  return html`<header class="head" data-watch="${deal.id}">
<div id="title" data-live><p class="crumbs"><a href="${addresses.board}">${say('Board')}</a> / <a href="${addresses.deals}">${say('Deals')}</a></p>
<h1>${deal.name}</h1>
<p class="marks">${statusMarks(deal)} ${stageMark(deal.stage)} ${money(deal.price, deal.currency)}</p>
${deal.held && html`<p class="notice held"><b>${say('On hold:')}</b> ${deal.holdReason ?? ''}</p>\n`}${
  deal.closingReason !== null &&
  html`<p class="notice">${phrase('{about}: {what}', { about: html`<b>${say(label(deal.status))}</b>`, what: html`<span>${deal.closingReason}</span>` })}</p>\n`
}${deal.status === 'open' && deal.completionDate !== null && html`<p class="quiet">${phrase('To be completed {date}', { date: dueMark(deal, today) })}</p>\n`}</div>
</header>
`
}
