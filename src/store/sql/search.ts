import { type Collection, type Field, fieldOf } from '../../queries/collection.ts'
import type { Filter, Query, SortTerm, Value } from '../../queries/query.ts'
import type { Page } from '../port/store.ts'
import { orderOf } from './order.ts'
import { type Row, readPage, readValues } from './read-page.ts'
import { foundSelect, leadersOf, probeSelect, type Select, stepSelect } from './select.ts'

/** The rows of each select and the milliseconds they took, or nothing when a step's time was over before. */
export type RunStep = (
  selects: readonly Select[],
) => Promise<{ readonly rows: readonly (readonly Row[])[]; readonly took: number } | undefined>

/** Rows that are looked at along the sort before another way is tried. */
const NEARBY = 500
/** Rows beyond which it is better to walk the sort. */
const MANY = 20_000

/** A page whose filter looks at text, in SQLite: found in small steps, between which others have their turn. */
export async function searchPage(collection: Collection, scope: Filter, query: Query, run: RunStep): Promise<Page> {
  const order = orderOf(collection, [...scope, ...query.filter], query)
  if (!order.indexed || query.count) {
    const led = await narrowest(leadersOf(collection, scope, query))
    if (!order.indexed || led !== undefined) return gather(collection, scope, query, run, led)
    const page = (await walkAlong(collection, scope, query, run)(Number.POSITIVE_INFINITY)) as Page
    return { ...page, total: totalOf(query, page) ?? (await countAll(collection, scope, query, run)) }
  }
  // The index of the sort begins where these do.
  const leaders = leadersOf(collection, scope, query).filter(
    (field) => field !== order.anchor?.field && field !== order.sort[0]?.field,
  )
  const look = walkAlong(collection, scope, query, run)
  const page = await look(leaders.length === 0 ? Number.POSITIVE_INFINITY : NEARBY)
  if (page !== undefined) return page
  const led = await narrowest(leaders)
  if (led !== undefined) return gather(collection, scope, query, run, led)
  return (await look(Number.POSITIVE_INFINITY)) as Page

  /** The field whose filter leads to the fewest rows, if those are not many. */
  async function narrowest(fields: readonly Field[]): Promise<Field | undefined> {
    const walked = fields.filter((field) => {
      const sort = sortBy(collection, field)
      return orderOf(collection, [...scope, ...query.filter], { sort }).indexed
    })
    const probes = walked.map((field) => probeSelect(collection, scope, query, 'sqlite', field, MANY))
    const probed = probes.length === 0 ? undefined : await run(probes)
    const counts = walked.map((field, at) => ({ field, count: Number(probed?.rows[at]?.[0]?.[0] ?? MANY) }))
    return counts.filter(({ count }) => count < MANY).sort((one, other) => one.count - other.count)[0]?.field
  }
}

/** Looks along the sort's index until the page is full, or nothing when it is not after so many rows; goes on then. */
function walkAlong(
  collection: Collection,
  scope: Filter,
  { page, ...query }: Query,
  run: RunStep,
): (most: number) => Promise<Page | undefined> {
  const found = new Map<unknown, Row>()
  const pace = newPace()
  const at = page === undefined ? {} : { page }
  let skip = ((page ?? 1) - 1) * query.size
  let looked = 0
  const backwards = query.before !== undefined
  let from = query.before ?? query.after
  return async (most) => {
    while (looked < most) {
      const size = Math.min(skip + query.size - found.size, pace.rows)
      const asked = { ...query, size, ...(from && { [backwards ? 'before' : 'after']: from }) }
      const step = stepSelect(collection, scope, asked, pace.rows, 'rows')
      const result = await run([step.found, step.end])
      looked += pace.rows
      pace.keep(result?.took)
      if (result === undefined) continue
      const [rows = [], [end] = []] = result.rows
      for (const row of rows.slice(Math.min(skip, rows.length))) {
        // A row that was changed in between can be met again; the last value is its key.
        if (!found.has(row.at(-1))) found.set(row.at(-1), row)
      }
      skip -= Math.min(skip, rows.length)
      // As many as were wanted may be fewer, where one was met again.
      const last = rows.length > size ? rows.at(-1) : end
      if (last === undefined || found.size > query.size) {
        return readPage(collection, { ...query, ...at }, [...found.values()])
      }
      from = readValues(collection, query.sort, last.slice(1))
    }
    return undefined
  }
}

/** How many match, where the page is the last of all that were looked at. */
function totalOf({ page = 1, size, after, before }: Query, { items, hasMore }: Page): number | undefined {
  if (after !== undefined || before !== undefined || hasMore) return undefined
  return items.length > 0 || page === 1 ? (page - 1) * size + items.length : undefined
}

async function countAll(collection: Collection, scope: Filter, query: Query, run: RunStep): Promise<number> {
  const { page: _page, after: _after, before: _before, ...rest } = query
  const sort = sortBy(collection, undefined)
  const pace = newPace()
  let total = 0
  let after: readonly Value[] | undefined
  for (;;) {
    const step = stepSelect(collection, scope, { ...rest, sort, ...(after && { after }) }, pace.rows, 'count')
    const result = await run([step.found, step.end])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [[[counted] = []] = [], [end] = []] = result.rows
    total += Number(counted)
    if (end === undefined) return total
    after = readValues(collection, sort, end.slice(1))
  }
}

/** Looks at every row that the leading field leads to, or at all, and sorts what matches. */
async function gather(
  collection: Collection,
  scope: Filter,
  query: Query,
  run: RunStep,
  led: Field | undefined,
): Promise<Page> {
  const { page: _page, after: _after, before: _before, ...rest } = query
  const sort = sortBy(collection, led)
  const most = Math.max(MANY, 2 * ((query.page ?? 1) * query.size + 1))
  const pace = newPace()
  let places = new Set<number>()
  let total = 0
  let after: readonly Value[] | undefined
  for (;;) {
    const asked: Query = { ...rest, sort, ...(after && { after }) }
    const step = stepSelect(collection, scope, asked, pace.rows, 'places')
    const result = await run([step.found, step.end])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [rows = [], [end] = []] = result.rows
    const before = places.size
    for (const [place] of rows) places.add(Number(place))
    total += places.size - before
    after = end && readValues(collection, sort, end.slice(1))
    if (places.size > most) {
      const kept = await rowsOf(foundSelect(collection, scope, query, [...places], 'places'))
      places = new Set(kept.map(([place]) => Number(place)))
    }
    if (end === undefined) break
  }
  const rows = await rowsOf(foundSelect(collection, scope, query, [...places], 'rows'))
  return readPage(collection, query, rows, query.count ? total : undefined)

  async function rowsOf(select: Select): Promise<readonly Row[]> {
    return (await run([select]))?.rows[0] ?? []
  }
}

function sortBy(collection: Collection, led: Field | undefined): readonly SortTerm[] {
  const key = { field: fieldOf(collection, collection.key), descending: false }
  return led === undefined ? [key] : [{ field: led, descending: false }, key]
}

const FIRST_STEP = 128
const LONGEST_STEP = 8192
/** Milliseconds that a step should not take less than. */
const SHORT = 4

/** How many rows the next step looks at. */
function newPace() {
  const pace = {
    rows: FIRST_STEP,
    /** After a step of so many milliseconds, or of too many. */
    keep(took: number | undefined): void {
      if (took === undefined) pace.rows = Math.max(1, pace.rows >> 2)
      else if (took < SHORT) pace.rows = Math.min(LONGEST_STEP, pace.rows * 2)
    },
  }
  return pace
}
