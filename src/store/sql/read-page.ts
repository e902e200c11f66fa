import type { Collection, Field } from '../../queries/collection.ts'
import type { Query, Value } from '../../queries/query.ts'
import type { Page } from '../port/store.ts'
import { columnOf } from './columns.ts'
import type { BoundedSelect, Select } from './select.ts'

/** A row of a select: the item's JSON text, then its values in the sort's fields. */
export type Row = readonly unknown[]

/** The page that the rows of a select make; they are one more than the page where there is more. */
export function readPage(collection: Collection, query: Query, rows: readonly Row[], total?: number): Page {
  const { size, page, before } = query
  const isFull = rows.length > size
  const near = isFull ? rows.slice(0, size) : rows
  // Rows in front of a row are read from it backwards.
  const shown = before === undefined ? near : near.toReversed()
  const valuesOf = (row: Row | undefined) => row && readValues(collection, query.sort, row.slice(1))
  return {
    items: shown.map((row) => String(row[0])),
    hasMore: before === undefined ? isFull : true,
    hasLess: before === undefined ? page === undefined || page > 1 : isFull,
    first: valuesOf(shown[0]),
    last: valuesOf(shown.at(-1)),
    total,
  }
}

/** The same of a bounded select, or nothing when it did not see enough. */
export function readBoundedPage(
  collection: Collection,
  query: Query,
  { page, beyond }: BoundedSelect,
  rowsOf: (select: Select) => readonly Row[],
): Page | undefined {
  const rows = rowsOf(page)
  if (rows.length <= query.size && rowsOf(beyond()).length > 0) return undefined
  return readPage(collection, query, rows)
}

/** A row's values in the sort's fields: where the next page begins. */
export function readValues(collection: Collection, sort: Query['sort'], row: Row): readonly Value[] {
  return sort.map(({ field }, at) => readValue(collection, field, row[at]))
}

/** SQLite gives 0 and 1 for booleans, PostgreSQL gives texts for its largest integers. */
function readValue(collection: Collection, field: Field, value: unknown): Value {
  if (value === null || value === undefined) return null
  const read = { bigint: Number, boolean: Boolean, text: String }
  return read[columnOf(collection, field, 'sqlite').type](value)
}
