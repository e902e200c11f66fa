import { html, Markup } from '../representations/html/markup.ts'
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
  for (const deal of deals) rows += row(deal, list?.customers, now, time, places).toString()
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

function row(
  deal: ShownDeal,
  customers: ReadonlyMap<number, string> | undefined,
  now: string,
  time: number,
  places: Places,
): Markup {
  return html`<tr><th scope="row"><a href="${places.deal(deal.id)}">${deal.name}</a></th>${
    customers !== undefined && html`<td class="wide">${customerLink(deal, customers, places)}</td>`
  }<td class="number">${money(deal.price, deal.currency)}</td><td class="wide">${stageMark(deal.stage)}</td><td>${statusMarks(
    deal,
  )}</td><td class="wide">${dueMark(deal, now)}</td><td class="wide">${deal.owner ?? ''}</td><td class="wide">${agoMarkup(deal.updatedAt, time)}</td></tr>
`
}

function customerLink(
  { customerId }: Pick<ShownDeal, 'customerId'>,
  customers: ReadonlyMap<number, string>,
  places: Places,
): Markup | undefined {
  if (customerId === null) return undefined
  return html`<a href="${places.customer(customerId)}">${customers.get(customerId) ?? `Customer ${customerId}`}</a>`
}
