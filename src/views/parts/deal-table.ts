import { escapeHtml, html, Markup } from '../../representations/html/markup.ts'
import type { Parameter } from './filter-bar.ts'
import { dueMark, stageMark, statusMarks } from './marks.ts'
import { agoMarkup } from './moment.ts'
import { money } from './money.ts'
import type { ShownDeal } from './shown.ts'
import { type Head, sortHeads } from './sort-heads.ts'
import type { Addresses } from './visit.ts'

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
  for (const deal of deals) rows += row(deal, list?.customers, now, time, addresses)
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

/** What a row was written from besides its deal, and the row. */
interface Written {
  readonly changed: number
  readonly minutes: number
  readonly today: string
  readonly customer: string | undefined
  readonly addresses: Addresses
  readonly text: string
}

/** Kept as long as the deal is: people look at the same rows again and again. */
const written = new WeakMap<ShownDeal, Written>()

function row(
  deal: ShownDeal,
  customers: ReadonlyMap<number, string> | undefined,
  now: string,
  time: number,
  addresses: Addresses,
): string {
  const before = written.get(deal)
  const changed = before?.changed ?? Date.parse(deal.updatedAt)
  const minutes = Math.floor((time - changed) / 60_000)
  const today = now.slice(0, 10)
  const customer = customers && nameOf(deal, customers)
  const isSame =
    before?.minutes === minutes &&
    before.today === today &&
    before.customer === customer &&
    before.addresses === addresses
  if (isSame) return before.text
  const text = writeRow(deal, customer, today, time, addresses)
  written.set(deal, { changed, minutes, today, customer, addresses, text })
  return text
}

const nameOf = ({ customerId }: ShownDeal, customers: ReadonlyMap<number, string>): string =>
  customerId === null ? '' : (customers.get(customerId) ?? `Customer ${customerId}`)

/** As a string: a page has hundreds of cells. Everything that is not ours is escaped here. */
function writeRow(
  deal: ShownDeal,
  customer: string | undefined,
  today: string,
  time: number,
  addresses: Addresses,
): string {
  const { id, name, customerId, price, currency, stage, owner, updatedAt } = deal
  const cells = [
    `<th scope="row">${link(addresses.deal(id), name)}</th>`,
    customer === undefined
      ? ''
      : `<td class="wide">${customerId === null ? '' : link(addresses.customer(customerId), customer)}</td>`,
    `<td class="number">${money(price, currency)}</td>`,
    `<td class="wide">${stageMark(stage)}</td>`,
    `<td>${statusMarks(deal)}</td>`,
    `<td class="wide">${dueMark(deal, today) ?? ''}</td>`,
    `<td class="wide">${owner === null ? '' : escapeHtml(owner)}</td>`,
    `<td class="wide">${agoMarkup(updatedAt, time)}</td>`,
  ]
  return ['<tr>', ...cells, '</tr>\n'].join('')
}

const link = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
