import type { CollectionField } from '../../queries/collection.ts'
import { type Query, skippedBy, type Value } from '../../queries/query.ts'
import { ListedTexts, type Packed, PackedTexts, someListed } from '../../values/json/texts.ts'
import type { Page, TextPage } from '../port/desk.ts'
import type { Row } from '../sql/statement.ts'
import { columnType } from './kind-columns.ts'
import type { BoundedSelect, Select } from './select.ts'

/**
 * The page from the rows of a select: each is the item's JSON text, then its values in the sort's fields. There is one
 * row more than the page if there is more.
 */
export function readPage(query: Query, rows: readonly Row[], total?: number): Page {
  const { shown, ...ends } = shownRows(query, rows)
  return { ...ends, items: shown.map((row) => String(row[0])), total }
}

/** The same for rows whose texts are packed: instead of its text a row has its number. */
export function readPackedPage(query: Query, { values, ...packed }: PackedRows, total?: number): TextPage {
  const rows = values.map((row, nth): Row => [nth, ...row])
  const { shown, ...others } = shownRows(query, rows)
  const order = shown.map(([nth]) => Number(nth))
  return { ...others, items: new PackedTexts(packed, order), total }
}

/**
 * The same for rows that are joined. They are those of a page that was read forwards: one that was read backwards has
 * another order.
 */
export function readListedPage(query: Query, { listed, others }: ListedRows, total?: number): TextPage {
  const rows = others.map((values, nth): Row => [nth, values])
  const { shown, ...ends } = shownRows(query, rows, ([, values]) => readValues(query.sort, JSON.parse(String(values))))
  const from = Number(shown[0]?.[0] ?? 0)
  return { ...ends, items: someListed(new ListedTexts(listed, rows.length), from, shown.length), total }
}

/** Rows with joined texts. */
export interface ListedRows {
  /** The texts, with `SEPARATOR` between them. */
  readonly listed: Uint8Array
  /** Each row's values in the sort's fields, as JSON. */
  readonly others: readonly string[]
}

/** Rows with packed texts. */
export interface PackedRows extends Packed {
  /** Each row's values in the sort's fields. */
  readonly values: readonly Row[]
}

interface ShownRows extends Pick<Page, 'hasMore' | 'hasLess' | 'first' | 'last'> {
  readonly shown: readonly Row[]
}

function shownRows(query: Query, rows: readonly Row[], read = sortValuesIn(query)): ShownRows {
  const { size, after, before, inclusive } = query
  const valuesOf = (row: Row | undefined) => row && read(row)
  const isPreceded = after !== undefined && (!inclusive || isAt(after, valuesOf(rows[0])))
  const from = inclusive && isPreceded ? 1 : 0
  const isFull = rows.length > from + size
  const near = from > 0 || isFull ? rows.slice(from, from + size) : rows
  // Rows before a row are read backwards from it.
  const shown = before === undefined ? near : near.toReversed()
  return {
    shown,
    // `withBothEnds` finds out what lies beyond the row that a page was read from.
    hasMore: before === undefined && isFull,
    hasLess: before === undefined ? isPreceded || skippedBy(query) > 0 : isFull,
    first: valuesOf(shown[0]),
    last: valuesOf(shown.at(-1)),
  }
}

const sortValuesIn =
  ({ sort }: Query) =>
  (row: Row): readonly Value[] =>
    readValues(sort, row.slice(1))

/** Whether a row with these values is the cursor's. */
const isAt = (cursor: readonly Value[], values: readonly Value[] | undefined): boolean =>
  values?.every((value, at) => value === cursor[at]) ?? false

/** The page of a bounded select; undefined if it did not see enough. */
export function readBoundedPage<P extends TextPage>(
  query: Query,
  { page, remainder }: BoundedSelect,
  read: (select: Select) => P,
  rowsOf: (select: Select) => readonly Row[],
): P | undefined {
  const found = read(page)
  const isFull = query.before === undefined ? found.hasMore : found.hasLess
  return isFull || rowsOf(remainder()).length === 0 ? found : undefined
}

/** A row's values in the sort's fields: where the next page begins. */
export function readValues(sort: Query['sort'], row: Row): readonly Value[] {
  return sort.map(({ field }, at) => readValue(field, row[at]))
}

/** SQLite returns 0 and 1 for booleans, PostgreSQL texts for its largest integers. */
function readValue(field: CollectionField, value: unknown): Value {
  if (value === null || value === undefined) return null
  return readers[columnType(field)](value)
}

const readers = { bigint: Number, boolean: Boolean, text: String }
