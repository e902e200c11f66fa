import type { Collection } from '../../../queries/collection.ts'
import { type Query, skippedBy, withoutPlace } from '../../../queries/query.ts'
import type { Page } from '../../port/desk.ts'
import type { GroupedRows } from '../../select/groups/group-text.ts'
import { orderOf, pinnedPlaces } from '../../select/order.ts'
import { readPage, readValues } from '../../select/read-page.ts'
import { drivingFields, type StepValues } from '../../select/select.ts'
import { keyOrderOf } from '../../select/texts/select-text.ts'
import type { Row } from '../../sql/statement.ts'
import { sqlite } from '../sql/dialect.ts'
import { amongAll, amongGiven, fewRows, MANY_OF_ALL } from './gathered/each-match.ts'
import { ledIds } from './led-search.ts'
import { newPace } from './pace.ts'
import { foundSelect, matchingIds, type RunStep, runWhole, stepSelect } from './search-text.ts'

/** Rows to scan along the sort before another strategy is tried. */
const NEARBY = 3000
/** Rows that are read at once from the index of grams. */
const FEW = 1000
/** From this number of rows on, reading along the sort's index is faster. */
const MANY = 20_000

/** Finds a page whose filter searches text, in small steps between which other searches run. */
export async function searchPage(collection: Collection, query: Query, run: RunStep): Promise<Page> {
  const order = orderOf(collection, query)
  const led = ledIds(collection, query.filter, run)
  const few = await led?.(FEW)
  if (few !== undefined || !order.indexed || query.count) return gather(collection, query, run, few)
  // The sort's index begins with these fields.
  const others = drivingFields(collection, query).filter(
    (field) => field !== order.anchor?.field && field !== order.sort[0]?.field,
  )
  const readUntil = readAlong(collection, query, run)
  const page = await readUntil(others.length === 0 && led === undefined ? Number.POSITIVE_INFINITY : NEARBY)
  if (page !== undefined) return page
  const many = await fewRows(collection, query, run, MANY)
  if (many !== undefined) return gather(collection, query, run, many)
  return (await readUntil(Number.POSITIVE_INFINITY)) as Page
}

/** Reads along the sort's index until the page is full; undefined if it is not after `most` rows. A second call continues. */
function readAlong(collection: Collection, asked: Query, run: RunStep): (most: number) => Promise<Page | undefined> {
  const found = new Map<unknown, Row>()
  const pace = newPace(asked.size)
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
      const step = stepSelect(collection, next, pace.rows)
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

/** Finds the matching rows, among the given ones or all, and sorts them. */
async function gather(
  collection: Collection,
  query: Query,
  run: RunStep,
  given: readonly number[] | undefined,
): Promise<Page> {
  const among = given ?? (await fewRows(collection, query, run, MANY_OF_ALL))
  if (among?.length === 0) return readPage(query, [], query.count ? 0 : undefined)
  const most = Math.max(MANY, 2 * (skippedBy(query) + query.size + 1))
  const { enough, descending } = firstRows(collection, query)
  const asked = withoutPlace(query)
  const statement = (rows: GroupedRows, values: Partial<StepValues>) => matchingIds(collection, asked, rows, values)
  let found = new Set<number>()
  let total = 0
  const take = async (rows: readonly Row[]): Promise<boolean> => {
    const before = found.size
    for (const [rowId] of rows) found.add(Number(rowId))
    total += found.size - before
    if (among === undefined && found.size > most) {
      const [kept = []] = await runWhole(run, [foundSelect(collection, query, [...found], 'row ids')])
      found = new Set(kept.map(([rowId]) => Number(rowId)))
    }
    return among !== undefined && found.size >= enough
  }
  if (among === undefined) await amongAll(collection, run, statement, take)
  else {
    const inOrder = among.toSorted((one, other) => (descending ? other - one : one - other))
    await amongGiven(inOrder, run, statement, take)
  }
  const [rows = []] = await runWhole(run, [foundSelect(collection, query, [...found], 'rows')])
  return readPage(query, rows, query.count ? total : undefined)
}

/** A first page in the order of the row ids needs only its own rows and one more. */
function firstRows(collection: Collection, { sort, size, count, after, before, ...place }: Query) {
  const [first] = sort
  const isByRow = first?.field.name === collection.key && keyOrderOf({ collection, dialect: sqlite }).type === 'bigint'
  const isFirst = isByRow && !count && after === undefined && before === undefined
  const enough = isFirst ? skippedBy({ ...place, size }) + size + 1 : Number.POSITIVE_INFINITY
  return { enough, descending: first?.descending ?? false }
}
