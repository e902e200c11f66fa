import { escapeHtml, html, Markup } from '../representations/html/markup.ts'
import type { Parameter } from './filter-bar.ts'
import { dueMark, stageMark, statusMarks } from './marks.ts'
import { agoMarkup } from './moment.ts'
import { money } from './money.ts'
import type { Places } from './places.ts'
import type { ShownDeal } from './shown.ts'
import { type Head, sortHeads } from './sort-heads.ts'

export interface DealTable {
  readonly caption: string
  readonly deals: readonly ShownDeal[]
  /** For deals of many customers: their names, and where the table can be had in another order. */
  readonly list?: {
    readonly customers: ReadonlyMap<number, string>
    readonly address: string
    readonly parameters: readonly Parameter[]
  }
  readonly now: string
  readonly places: Places
}

const heads: readonly Head[] = [
  { text: 'Deal', field: 'name' },
  { text: 'Customer', kind: 'wide' },
  { text: 'Price', field: 'price', kind: 'number' },
  { text: 'Stage', kind: 'wide' },
  { text: 'Status' },
  { text: 'Completion', field: 'completionDate', kind: 'wide' },
  { text: 'Owner', kind: 'wide' },
  { text: 'Changed', field: 'updatedAt', kind: 'wide' },
]
const ofOneCustomer = heads.filter(({ text }) => text !== 'Customer').map(({ field: _field, ...head }): Head => head)

export function dealTable({ caption, deals, list, now, places }: DealTable): Markup {
  let rows = ''
  const time = Date.parse(now)
  for (const deal of deals) rows += row(deal, list?.customers, now, time, places)
  // A wide table scrolls by itself, and so that a keyboard can scroll it, it takes the focus.
  return html`<section class="table" aria-labelledby="deals-caption" tabindex="0">
<table>
<caption id="deals-caption">${caption}</caption>
${list === undefined ? sortHeads(ofOneCustomer, '', []) : sortHeads(heads, list.address, list.parameters)}<tbody>
${Markup.of(rows)}</tbody>
</table>
</section>
`
}

/** As a string: a page has hundreds of cells. Everything that is not ours is escaped here. */
function row(
  deal: ShownDeal,
  customers: ReadonlyMap<number, string> | undefined,
  now: string,
  time: number,
  places: Places,
): string {
  const customer = customers === undefined ? '' : `<td class="wide">${customerLink(deal, customers, places)}</td>`
  const { name, facts, owner } = cellsOf(deal)
  return `<tr><th scope="row"><a href="${escapeHtml(places.deal(deal.id))}">${name}</a></th>${customer}${facts}${
    dueMark(deal, now) ?? ''
  }${owner}${agoMarkup(deal.updatedAt, time)}</td></tr>\n`
}

/** What a row says whatever the day, the customer's name and the addresses are. */
interface Cells {
  readonly name: string
  readonly facts: string
  readonly owner: string
}

/** Kept as long as the deal is. */
const known = new WeakMap<ShownDeal, Cells>()

function cellsOf(deal: ShownDeal): Cells {
  const kept = known.get(deal)
  if (kept !== undefined) return kept
  const price = money(deal.price, deal.currency)
  const cells = {
    name: escapeHtml(deal.name),
    facts: `<td class="number">${price}</td><td class="wide">${stageMark(deal.stage)}</td><td>${statusMarks(deal)}</td><td class="wide">`,
    owner: `</td><td class="wide">${deal.owner === null ? '' : escapeHtml(deal.owner)}</td><td class="wide">`,
  }
  known.set(deal, cells)
  return cells
}

function customerLink(
  { customerId }: Pick<ShownDeal, 'customerId'>,
  customers: ReadonlyMap<number, string>,
  places: Places,
): string {
  if (customerId === null) return ''
  const name = customers.get(customerId) ?? `Customer ${customerId}`
  return `<a href="${escapeHtml(places.customer(customerId))}">${escapeHtml(name)}</a>`
}
