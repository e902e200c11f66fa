import type { Addresses } from '../../http/contract/addresses.ts'
import { dayIn } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { type Text, wordsFor } from '../../languages/text.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { escapeHtml, html, Markup } from '../../representations/markup/markup.ts'
import { memoize } from '../../values/memoize.ts'
import { type Head, sortHeads } from '../filters/sorting.ts'
import { type Names, personFields, referringFields, shownName } from '../parts/names.ts'
import { personCell } from '../parts/person.ts'
import type { SeenThing } from '../parts/shown.ts'
import { type ListColumn, link, listColumns, nameHead } from './columns.ts'
import type { ListScreen, RowContext, WriteCell } from './list-screen.ts'
import { narrowed, pickable } from './selection.ts'

export interface ThingTable {
  readonly resource: Resource
  readonly screen: ListScreen
  readonly caption: Text | Markup
  readonly things: readonly SeenThing[]
  /** The names of the things they refer to. */
  readonly names: Names
  /** The list whose order the heads change; without one, the table has one order. */
  readonly sorted?: SortedList
  /** The columns, if they are not the usual ones. */
  readonly fields?: readonly string[] | undefined
  /** The usual columns that the page does not need. */
  readonly without?: readonly string[]
  /** The text after a name. */
  readonly marks?: ((thing: SeenThing) => Markup | undefined) | undefined
  /** The cells of the added columns, in their order. */
  readonly added?: readonly WriteCell[] | undefined
  /** The operations on selected rows; undefined if they cannot be selected and changed. */
  readonly operations?: readonly Operation[] | undefined
  /** Whether each has buttons that move it, which send the form `order`. */
  readonly moves?: boolean
  readonly now: string
  readonly addresses: Addresses
}

export interface SortedList {
  readonly address: string
  readonly parameters: readonly Parameter[]
  /** The order if the address names none. */
  readonly order?: string | undefined
}

/** Things of a resource, a row each. */
export function thingTable(table: ThingTable): Markup {
  const { resource, screen, caption, things, names, fields, marks, operations, moves = false } = table
  const { now, addresses } = table
  const isEmpty = (field: string): boolean => things.every(({ [field]: value }) => (value ?? null) === null)
  const without = [...(table.without ?? []), ...(screen.ifFilled ?? []).filter(isEmpty)]
  const added = fields === undefined ? addedColumns(screen, table.added) : []
  const columns = [...withAdded(listColumns(resource, screen, fields, without), added), ...(moves ? [moving] : [])]
  const heads = [nameHead(resource, screen), ...columns.map(({ head }) => head)]
  const minute = now.slice(0, TO_THE_MINUTE)
  const about = `${resource.name} ${resource.schema.version} ${minute} ${addresses.base} ${operations?.length} ${operations?.[0]?.name} ${moves} ${fields} ${without}`
  const rows = Markup.inRows(function* (reader) {
    const today = dayIn(now, reader.timeZone)
    const row: RowContext = { resource, names, today, time: Date.parse(now), addresses, reader }
    const kept = keptRows(`${readerKey(reader)} ${about}`)
    for (const thing of things) {
      const mark = marks?.(thing)?.for(reader) ?? ''
      const beside = mark + namesIn(thing, row) + added.map(({ write }) => write(thing, row)).join('\n')
      yield kept(thing, beside, () => writeRow(thing, columns, row, { operations, now }, mark))
    }
  })
  const id = `${resource.plural}-caption`
  // A wide table scrolls, and takes the focus so that a keyboard can scroll it.
  return html`<div class="table" role="group" aria-labelledby="${id}" tabindex="0">
<table${narrowed(heads)}>
<caption id="${id}">${caption}</caption>
${headsOf(heads, table)}<tbody>
${rows}</tbody>
</table>
</div>
`
}

interface Added extends ListColumn {
  readonly after: string
}

/** The added columns of a table whose cells were read. */
const addedColumns = ({ added = [] }: ListScreen, cells: readonly WriteCell[] = []): readonly Added[] =>
  cells.flatMap((write, at) => {
    const column = added[at]
    if (column === undefined) return []
    const { head: text, after, kind } = column
    const isNumber = kind === 'sums'
    return [{ field: '', after, isNumber, head: { text, kind: isNumber ? 'number wide' : 'wide' }, write }]
  })

const withAdded = (columns: readonly ListColumn[], added: readonly Added[]): readonly ListColumn[] =>
  columns.flatMap((column) => [column, ...added.filter(({ after }) => after === column.field)])

/** The buttons that move a thing to another place of its list. */
const moving: ListColumn = {
  field: '',
  head: { text: say('Order'), kind: 'number wide' },
  isNumber: true,
  write: (thing, { resource, reader }) => {
    const entry = shownName(resource, thing)
    const button = (name: string, label: Text): string =>
      `<button class="plain ${name}" form="order" name="_${name}" value="${thing.id}" aria-label="${escapeHtml(wordsFor(label, reader))}"></button>`
    const up = button('up', say('Move {entry} up', { entry }))
    return `<span class="moves">${up}${button('down', say('Move {entry} down', { entry }))}</span>`
  },
}

const TO_THE_MINUTE = '2026-11-30T12:00'.length
/** Each may hold a row for every recently shown thing. */
const MOST_KEPT = 8

function headsOf(heads: readonly Head[], { sorted, operations }: ThingTable): Markup {
  const shown = heads.map(({ operation, field, ...head }) => ({
    ...head,
    ...(operations && operation !== undefined && { operation }),
    ...(sorted && field !== undefined && { field }),
  }))
  return sortHeads(shown, sorted?.address ?? '', sorted?.parameters ?? [], { order: sorted?.order })
}

/** The names in a row, of things and of people. */
function namesIn(thing: SeenThing, row: RowContext): string {
  const { resource, names } = row
  let all = ''
  for (const { to, field } of referringFields(resource)) all += `${names.get(to)?.get(thing[field] as Key) ?? ''}\n`
  for (const field of personFields(resource))
    if (typeof thing[field] === 'string') all += `${personCell(thing[field], row)}\n`
  return all
}

/**
 * The rows of one minute, for one kind of reader: an open list is rendered again with every change, and most of its
 * rows are the same. A row follows from its thing and the names in it.
 */
const keptRows = memoize((_key) => {
  const kept = new WeakMap<SeenThing, { readonly beside: string; readonly text: string }>()
  return (thing: SeenThing, beside: string, write: () => string): string => {
    const known = kept.get(thing)
    if (known !== undefined && known.beside === beside) return known.text
    const text = write()
    // V8 joins the pieces of the row now, not again with every page.
    text.charCodeAt(0)
    kept.set(thing, { beside, text })
    return text
  }
}, MOST_KEPT)

const readerKey = ({ language, locale, timeZone }: Reader): string => `${language.tag} ${locale} ${timeZone}`

function writeRow(
  thing: SeenThing,
  columns: readonly ListColumn[],
  row: RowContext,
  { operations, now }: Pick<ThingTable, 'operations' | 'now'>,
  mark: string,
): string {
  let cells = ''
  for (const { isNumber, write } of columns)
    cells += `${isNumber ? '<td class="number">' : '<td>'}${write(thing, row)}</td>`
  const named =
    `${link(row.addresses.thing(row.resource, thing.id), wordsFor(shownName(row.resource, thing), row.reader))} ${mark}`.trimEnd()
  return `<tr><th scope="row">${operations ? pickable(thing, named, operations, now) : named}</th>${cells}</tr>
`
}
