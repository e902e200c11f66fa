import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text } from '../../languages/text.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import type { Document } from '../document.ts'
import { escapeHtml, html, Markup } from '../markup/markup.ts'
import { columnsOf, type Data, type DataObject, isDataObject, itemsApart, valueIn } from '../read-document.ts'
import { label } from './label.ts'
import { phrase, saidTitle } from './phrase.ts'
import { anchor, isAddress, writeValue } from './value.ts'

/** A page or a bare list as a table, with links to the neighbouring pages. */
export function tableMarkup(document: Document): Markup {
  const { frame, count, items } = itemsApart(document)
  const links = isDataObject(frame) && isDataObject(frame.links) ? frame.links : document.pageLinks
  const columns = document.columns ?? columnsOf(undefined, [...items].filter(isDataObject))
  return html`${columns.length > 0 && table(document, frame, columns, count, items)}${
    count === 0 && html`<p class="empty">${say('Nothing here.')}</p>`
  }${links && pager(links)}`
}

/** HTML with escaped texts. */
function rowOf(
  item: DataObject,
  columns: readonly string[],
  itemAddress: Document['itemAddress'],
  reader: Reader,
): string {
  let row = '<tr>'
  let first = true
  for (const column of columns) {
    const value = valueIn(item, column)
    row += first ? leadingCell(value, itemAddress?.(item), reader) : cell(value, reader)
    first = false
  }
  return `${row}</tr>\n`
}

function table(
  document: Document,
  frame: Data,
  columns: readonly string[],
  count: number,
  items: Iterable<Data>,
): Markup {
  const rows = Markup.inRows(function* (reader) {
    for (const item of items) if (isDataObject(item)) yield rowOf(item, columns, document.itemAddress, reader)
  })
  const heads = columns.map((column) => html`<th scope="col">${say(label(column))}</th>`)
  // A wide table scrolls, and takes the focus so that a keyboard can scroll it.
  return html`<div class="table" role="group" aria-labelledby="caption" tabindex="0">
<table>
<caption id="caption">${phrase('{about}: {what}', { about: saidTitle(document), what: summary(frame, count, document.pageLinks?.next) })}</caption>
<thead><tr>${heads}</tr></thead>
<tbody translate="no">
${rows}</tbody>
</table>
</div>
`
}

function leadingCell(value: Data, address: string | undefined, reader: Reader): string {
  const text = writeValue(value, reader)
  if (address === undefined || (typeof value === 'object' && value !== null)) return `<th scope="row">${text}</th>`
  return `<th scope="row">${anchor(address, text === '' ? address : String(value))}</th>`
}

function cell(value: Data, reader: Reader): string {
  if (isDataObject(value) && Array.isArray(value.items))
    return `<td>${writeRelated(value.items, value.hasMore === true, reader)}</td>`
  if (typeof value === 'string')
    return `<td>${value.length === 24 ? writeValue(value, reader) : escapeHtml(value)}</td>`
  if (value === null) return '<td></td>'
  return typeof value === 'number' || isExactNumber(value)
    ? `<td class="number">${writeValue(value, reader)}</td>`
    : `<td>${writeValue(value, reader)}</td>`
}

/** The things of a list within an item by their names: a cell has no space for all their members. */
function writeRelated(things: readonly Data[], hasMore: boolean, reader: Reader): string {
  const names = things.map((each) => (isDataObject(each) ? (each.name ?? each.id ?? each) : each))
  return writeValue(hasMore ? [...names, '…'] : names, reader)
}

function summary(data: Data, shown: number, next?: string): Text {
  const { page = null, total = null, hasMore = next !== undefined } = isDataObject(data) ? data : {}
  const parts = [
    total === null
      ? say('{count} shown', { count: shown })
      : say('{shown} of {count}', { shown, count: Number(total) }),
    ...(page === null ? [] : [say('page {page}', { page: Number(page) })]),
    ...(hasMore === true ? [say('more follow')] : []),
  ]
  return joined(parts, ', ')
}

export function pager(links: { readonly [R in 'self' | LinkRelation]?: Data }): Markup | undefined {
  const entries: Markup[] = []
  for (const [relation, text] of relations) {
    const href = links[relation]
    // A page does not link to itself.
    if (typeof href === 'string' && isAddress(href) && href !== links.self)
      entries.push(html`<li><a href="${href}" rel="${relation}">${text}</a></li>`)
  }
  if (entries.length === 0) return undefined
  return html`<nav class="pager" aria-label="${say('Pages')}"><ul>${entries}</ul></nav>
`
}

const relations = [
  ['first', say('First page')],
  ['prev', say('Previous page')],
  ['next', say('Next page')],
] as const
type LinkRelation = (typeof relations)[number][0]
