import { dayIn } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { html, Markup } from '../../representations/html/markup.ts'
import { memoize } from '../../values/memoize.ts'
import { type Head, sortHeads } from '../filters/sorting.ts'
import { narrowed, pickable } from '../list/selection.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'
import { type DealColumn, type DealRow, dealColumns, link, nameHead } from './deal-columns.ts'

export interface DealTable {
  readonly resource: Resource
  readonly caption: Text | Markup
  readonly deals: readonly ShownDeal[]
  /** For deals of many customers: the customers' names, and the list's address for sorting. */
  readonly list?: DealList
  readonly now: string
  readonly addresses: Addresses
}

export interface DealList {
  readonly customers: ReadonlyMap<number, string>
  readonly address: string
  readonly parameters: readonly Parameter[]
  /** The columns, if they are not the usual ones. */
  readonly fields?: readonly string[] | undefined
  /** The usual columns that the page has no room or need for. */
  readonly without?: readonly string[]
  /** The order where the address names none. */
  readonly order?: string | undefined
  /** Whether rows can be selected and changed. */
  readonly mayChange?: boolean
}

export function dealTable({ resource, caption, deals, list, now, addresses }: DealTable): Markup {
  const without = list === undefined ? ofOneCustomer : list.without
  const columns = dealColumns(resource, list?.fields, without)
  const all = [nameHead(resource), ...columns.map(({ head }) => head)]
  const mayPick = list?.mayChange === true
  const about = `${now.slice(0, TO_THE_MINUTE)} ${addresses.base} ${mayPick} ${list?.fields} ${without} ${resource.schema.version}`
  const rows = Markup.inRows(function* (reader) {
    const today = dayIn(now, reader.timeZone)
    const row: DealRow = { customers: list?.customers ?? new Map(), today, time: Date.parse(now), addresses, reader }
    const kept = keptRows(`${readerKey(reader)} ${about}`)
    for (const deal of deals) yield kept(deal, row, () => writeRow(deal, columns, row, mayPick))
  })
  // A wide table scrolls, and takes the focus so that a keyboard can scroll it.
  return html`<div class="table" role="group" aria-labelledby="deals-caption" tabindex="0">
<table${narrowed(all)}>
<caption id="deals-caption">${caption}</caption>
${heads(all, list)}<tbody>
${rows}</tbody>
</table>
</div>
`
}

const TO_THE_MINUTE = '2026-11-30T12:00'.length
/** Each may hold a row of every deal that was shown lately. */
const MOST_KEPT = 8

const ofOneCustomer = ['customerId']

function heads(all: readonly Head[], list: DealList | undefined): Markup {
  if (list === undefined)
    return sortHeads(
      all.map(({ text, kind }): Head => ({ text, ...(kind && { kind }) })),
      '',
      [],
    )
  const { address, parameters, order } = list
  if (list.mayChange === true) return sortHeads(all, address, parameters, { order })
  const unchanged = all.map(({ operation: _operation, ...head }): Head => head)
  return sortHeads(unchanged, address, parameters, { order })
}

/**
 * The rows of one minute, as some reader sees them: an open list is shown anew with every change, and most of its rows
 * are the same then. A row follows from its deal and its customer's name.
 */
const keptRows = memoize((_key) => {
  const kept = new WeakMap<ShownDeal, { readonly customer: string | undefined; readonly text: string }>()
  return (deal: ShownDeal, { customers }: DealRow, write: () => string): string => {
    const customer = deal.customerId === null ? undefined : customers.get(deal.customerId)
    const known = kept.get(deal)
    if (known !== undefined && known.customer === customer) return known.text
    const text = write()
    // V8 joins the pieces of the row now, not again with every page that has it.
    text.charCodeAt(0)
    kept.set(deal, { customer, text })
    return text
  }
}, MOST_KEPT)

const readerKey = ({ language, locale, timeZone }: Reader): string => `${language.tag} ${locale} ${timeZone}`

function writeRow(deal: ShownDeal, columns: readonly DealColumn[], row: DealRow, mayPick: boolean): string {
  const { id, name } = deal
  let cells = ''
  for (const { isNumber, write } of columns)
    cells += `${isNumber ? '<td class="number">' : '<td>'}${write(deal, row)}</td>`
  const named = link(row.addresses.deal(id), name)
  return `<tr><th scope="row">${mayPick ? pickable(id, named) : named}</th>${cells}</tr>
`
}
