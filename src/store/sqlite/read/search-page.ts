import { type Collection, type CollectionField, fieldOf } from '../../../queries/collection.ts'
import { type Query, type SortTerm, skippedBy, type Value, withoutPlace } from '../../../queries/query.ts'
import type { Page } from '../../port/desk.ts'
import { orderOf, pinnedPlaces } from '../../select/order.ts'
import { readPage, readValues } from '../../select/read-page.ts'
import { drivingFields, probeSelect, type Select } from '../../select/select.ts'
import type { Row } from '../../sql/statement.ts'
import { sqlite } from '../sql/dialect.ts'
import { ledSearch } from './led-search.ts'
import { newPace } from './pace.ts'
import { foundSelect, type RunStep, stepSelect } from './search-text.ts'

/** Rows to scan along the sort before another strategy is tried. */
const NEARBY = 3000
/** Rows that are read at once from the index of grams. */
const FEW = 1000
/** From this number of rows on, reading along the sort's index is faster. */
const MANY = 20_000
/** The same if no index has the sort, or all rows are counted: all rows would be read otherwise. */
const MANY_OF_ALL = 100_000

/** Finds a page whose filter searches text, in small steps between which other searches run. */
export async function searchPage(collection: Collection, query: Query, run: RunStep): Promise<Page> {
  const order = orderOf(collection, query.filter, query)
  const led = ledSearch(collection, query, run)
  const few = await led?.(FEW)
  if (few !== undefined) return few
  if (!order.indexed || query.count) {
    const many = await led?.(MANY_OF_ALL)
    if (many !== undefined) return many
    const driving = await narrowest(drivingFields(collection, query))
    if (!order.indexed || driving !== undefined) return gather(collection, query, run, driving)
    const page = (await readAlong(collection, query, run)(Number.POSITIVE_INFINITY)) as Page
    return { ...page, total: totalOf(query, page) ?? (await countAll(collection, query, run)) }
  }
  // The sort's index begins with these fields.
  const others = drivingFields(collection, query).filter(
    (field) => field !== order.anchor?.field && field !== order.sort[0]?.field,
  )
  const readUntil = readAlong(collection, query, run)
  const page = await readUntil(others.length === 0 && led === undefined ? Number.POSITIVE_INFINITY : NEARBY)
  if (page !== undefined) return page
  const many = await led?.(MANY)
  if (many !== undefined) return many
  const driving = await narrowest(others)
  if (driving !== undefined) return gather(collection, query, run, driving)
  return (await readUntil(Number.POSITIVE_INFINITY)) as Page

  /** The field with the most selective filter, if it is selective enough. */
  async function narrowest(fields: readonly CollectionField[]): Promise<CollectionField | undefined> {
    const sorted = fields.filter((field) => {
      // No index is ordered by a field of another table.
      if (field.through !== undefined) return false
      const sort = sortBy(collection, field)
      return orderOf(collection, query.filter, { sort }).indexed
    })
    const probes = sorted.map((field) => probeSelect(collection, query, sqlite, field, MANY))
    const probed = probes.length === 0 ? undefined : await run(probes)
    const counts = sorted.map((field, at) => ({ field, count: Number(probed?.rows[at]?.[0]?.[0] ?? MANY) }))
    return counts.filter(({ count }) => count < MANY).sort((one, other) => one.count - other.count)[0]?.field
  }
}

/** Reads along the sort's index until the page is full; undefined if it is not after `most` rows. A second call continues. */
function readAlong(collection: Collection, asked: Query, run: RunStep): (most: number) => Promise<Page | undefined> {
  const found = new Map<unknown, Row>()
  const pace = newPace()
  const { page: _page, skip: _skip, ...query } = asked
  let skip = skippedBy(asked)
  let scanned = 0
  const backwards = query.before !== undefined
  // A fixed field may have another value in a row that a step passes, which would change the order after it.
  const pinned = pinnedPlaces(collection, query.filter, query.sort)
  let from = query.before ?? query.after
  return async (most) => {
    while (scanned < most) {
      const size = Math.min(skip + query.size - found.size, pace.rows)
      const next = { ...query, size, ...(from && { [backwards ? 'before' : 'after']: from }) }
      const step = stepSelect(collection, next, pace.rows, 'rows')
      const result = await run([step.found, step.end])
      scanned += pace.rows
      pace.keep(result?.took)
      if (result === undefined) continue
      const [rows = [], [end] = []] = result.rows
      for (const row of rows.slice(Math.min(skip, rows.length))) {
        // A row that was changed between two steps can appear again; the last value is its key.
        if (!found.has(row.at(-1))) found.set(row.at(-1), row)
      }
      skip -= Math.min(skip, rows.length)
      // There may be fewer rows than the page has, because one appeared twice.
      const last = rows.length > size ? rows.at(-1) : end
      if (last === undefined || found.size > query.size) {
        return readPage(asked, [...found.values()])
      }
      from = readValues(query.sort, last.slice(1)).map((value, place) =>
        pinned.has(place) ? (pinned.get(place) ?? null) : value,
      )
    }
    return undefined
  }
}

/** The number of matching rows, if the page is the last one. */
function totalOf(query: Query, { items, hasMore }: Page): number | undefined {
  if (query.after !== undefined || query.before !== undefined || hasMore) return undefined
  const skipped = skippedBy(query)
  return items.length > 0 || skipped === 0 ? skipped + items.length : undefined
}

async function countAll(collection: Collection, query: Query, run: RunStep): Promise<number> {
  const rest = withoutPlace(query)
  const sort = sortBy(collection, undefined)
  const pace = newPace()
  let total = 0
  let after: readonly Value[] | undefined
  for (;;) {
    const step = stepSelect(collection, { ...rest, sort, ...(after && { after }) }, pace.rows, 'count')
    const result = await run([step.found, step.end])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [[[counted] = []] = [], [end] = []] = result.rows
    total += Number(counted)
    if (end === undefined) return total
    after = readValues(sort, end.slice(1))
  }
}

/** Scans the rows of the driving filter, or all rows, and sorts the matches. */
async function gather(
  collection: Collection,
  query: Query,
  run: RunStep,
  driving: CollectionField | undefined,
): Promise<Page> {
  const rest = withoutPlace(query)
  const sort = sortBy(collection, driving)
  const most = Math.max(MANY, 2 * (skippedBy(query) + query.size + 1))
  const pace = newPace()
  let rowIds = new Set<number>()
  let total = 0
  let after: readonly Value[] | undefined
  for (;;) {
    const next: Query = { ...rest, sort, ...(after && { after }) }
    const step = stepSelect(collection, next, pace.rows, 'row ids')
    const result = await run([step.found, step.end])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [rows = [], [end] = []] = result.rows
    const before = rowIds.size
    for (const [rowId] of rows) rowIds.add(Number(rowId))
    total += rowIds.size - before
    after = end && readValues(sort, end.slice(1))
    if (rowIds.size > most) {
      const kept = await rowsOf(foundSelect(collection, query, [...rowIds], 'row ids'))
      rowIds = new Set(kept.map(([rowId]) => Number(rowId)))
    }
    if (end === undefined) break
  }
  const rows = await rowsOf(foundSelect(collection, query, [...rowIds], 'rows'))
  return readPage(query, rows, query.count ? total : undefined)

  async function rowsOf(select: Select): Promise<readonly Row[]> {
    return (await run([select]))?.rows[0] ?? []
  }
}

function sortBy(collection: Collection, driving: CollectionField | undefined): readonly SortTerm[] {
  const key = { field: fieldOf(collection, collection.key), descending: false }
  return driving === undefined ? [key] : [{ field: driving, descending: false }, key]
}
