import type { Parameter } from '../../queries/query-string.ts'
import { escapeHtml, html, Markup } from '../../representations/html/markup.ts'
import { dueMark, stageMark, statusMarks } from './marks.ts'
import { agoMarkup } from './moment.ts'
import { money } from './money.ts'
import type { ShownDeal } from './shown.ts'
import { type Head, sortHeads } from './sorting.ts'
import type { Addresses } from './visit.ts'

export interface DealTable {
  readonly caption: string
  readonly deals: readonly ShownDeal[]
  /** For deals of many customers: the customers' names, and the list's address for sorting. */
  readonly list?: {
    readonly customers: ReadonlyMap<number, string>
    readonly address: string
    readonly parameters: readonly Parameter[]
  }
  readonly now: string
  readonly addresses: Addresses
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

export function dealTable({ caption, deals, list, now, addresses }: DealTable): Markup {
  let rows = ''
  const time = Date.parse(now)
  for (const deal of deals) rows += writeRow(deal, list && nameOf(deal, list.customers), now, time, addresses)
  // A wide table scrolls, and takes the focus so that a keyboard can scroll it.
  return html`<section class="table" aria-labelledby="deals-caption" tabindex="0">
<table>
<caption id="deals-caption">${caption}</caption>
${list === undefined ? sortHeads(ofOneCustomer, '', []) : sortHeads(heads, list.address, list.parameters)}<tbody>
${Markup.of(rows)}</tbody>
</table>
</section>
`
}

const nameOf = ({ customerId }: ShownDeal, customers: ReadonlyMap<number, string>): string =>
  customerId === null ? '' : (customers.get(customerId) ?? `Customer ${customerId}`)

/** Written as a string, because a page has hundreds of cells. It escapes whatever a client wrote. */
function writeRow(
  deal: ShownDeal,
  customer: string | undefined,
  now: string,
  time: number,
  addresses: Addresses,
): string {
  const { id, name, customerId, price, currency, stage, owner, updatedAt } = deal
  const ofCustomer =
    customer === undefined
      ? ''
      : `<td class="wide">${customerId === null ? '' : link(addresses.customer(customerId), customer)}</td>`
  return `<tr><th scope="row">${link(addresses.deal(id), name)}</th>${ofCustomer}<td class="number">${money(
    price,
    currency,
  )}</td><td class="wide">${stageMark(stage)}</td><td>${statusMarks(deal)}</td><td class="wide">${
    dueMark(deal, now) ?? ''
  }</td><td class="wide">${owner === null ? '' : link(addresses.person(owner), owner)}</td><td class="wide">${agoMarkup(updatedAt, time)}</td></tr>
`
}

const link = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
