import { deal as deals } from '../../model/deal/deal.ts'
import { operationNamed } from '../../model/resources.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { type Detail, details, quiet } from '../parts/details.ts'
import { entryMarkup } from '../parts/happenings/happening.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { ShownDeal, ShownEntry } from '../parts/shown.ts'
import { orderLink } from '../parts/sorting.ts'
import { commandLink, timeline } from '../parts/timeline.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface HistoryPage {
  readonly deal: ShownDeal
  /** The heading: the history, or the noun of one operation. */
  readonly title: string
  readonly address: string
  readonly entries: readonly ShownEntry[]
  /** How many entries are no longer kept. */
  readonly trimmed: number
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly addresses: Addresses
}

/** The history of a deal, or the entries of one operation. */
export function historyPage(history: HistoryPage): Markup {
  const { deal, title, address, entries, trimmed, parameters, links, addresses } = history
  return html`<header class="head"><div><p class="crumbs">${crumbs(deal, addresses)}</p><h1>${title}</h1></div>
${orderLink(address, parameters, 'revision')}</header>
${
  entries.length === 0
    ? html`<p class="empty">No entries yet.</p>\n`
    : html`<section class="panel" aria-label="${title}">${timeline(entries, deal, addresses)}</section>\n`
}${trimmed > 0 && html`<p class="quiet">${trimmed} older ${trimmed === 1 ? 'entry is' : 'entries are'} no longer kept.</p>\n`}${pager(links)}`
}

export interface EntryPage {
  readonly deal: ShownDeal
  readonly entry: ShownEntry
  readonly addresses: Addresses
}

/** One entry, with links to the previous and the next one. */
export function entryPage({ deal, entry, addresses }: EntryPage): Markup {
  const { operation, params, revision, at, actor } = entry
  const rows: readonly Detail[] = [
    ...Object.entries(params).map(([name, value]) => [label(name), paramText(value)] as const),
    ['Done by', actor ?? quiet('not known')],
    ['At', instantMarkup(at)],
    ['Asked for as', entry.form.replaceAll('-', ' ')],
    ['Command', entry.commandId !== undefined && commandLink(entry.commandId, addresses)],
  ]
  const beside = (to: number, text: string): Markup =>
    html`<li><a href="${addresses.entry(deal.id, 'history', to)}">${text}</a></li>`
  return html`<header class="head"><div><p class="crumbs">${crumbs(deal, addresses)} / <a href="${addresses.ofDeal(deal.id, 'history')}">History</a></p>
<h1>${operationNamed(operation, deals)?.title ?? label(operation)}</h1><p class="quiet">Revision ${revision} of ${deal.revision}</p></div></header>
<section class="panel" aria-label="The entry"><p>${entryMarkup(entry, deal)}</p>
${details(rows)}</section>
<nav class="pager" aria-label="Entries"><ul>${revision > 1 && beside(revision - 1, 'Previous')}${
    revision < deal.revision && beside(revision + 1, 'Next')
  }</ul></nav>
`
}

const crumbs = (deal: ShownDeal, addresses: Addresses): Markup =>
  html`<a href="${addresses.deals}">Deals</a> / <a href="${addresses.deal(deal.id)}">${deal.name}</a>`

const paramText = (value: unknown): Hole =>
  value === null ? quiet('none') : typeof value === 'string' ? value : JSON.stringify(value)
