import { type Collection, type Field, fieldOf } from '../../queries/collection.ts'
import type { SortTerm, Term } from '../../queries/query.ts'
import { columnOf, tableOf } from './columns.ts'
import { bound, condition } from './conditions.ts'
import type { Order } from './order.ts'
import { type Hold, hasValues, type Segment, segments } from './segments.ts'
import { type Dialect, join, raw, type Sql, sql } from './sql.ts'

/** How many rows a bounded select looks at. */
export const WINDOW = 2000

/**
 * `sorted` walks the sort's index and leaves out what does not match: right unless few rows match.
 * `led` takes the index of one field that the filter narrows, and sorts what it leads to: right when that is little.
 * `free` leaves it to the planner.
 */
export type Way = 'sorted' | 'free' | { readonly led: Field }

/** What a text is made from: everything of a query but its values. */
export interface Shape {
  readonly collection: Collection
  readonly terms: readonly Term[]
  readonly order: Order
  /** What each row tells besides its item. */
  readonly told: readonly SortTerm[]
  readonly skips: boolean
  readonly dialect: Dialect
  readonly way: Way | 'bounded' | 'beyond' | 'count' | 'probe' | 'step' | 'found'
}

/** A page and one row more, from the sort's index where there is one. */
export function pageSql(shape: Shape): Sql {
  const { order, skips, terms } = shape
  const columns = told(shape)
  const end = skips ? sql`LIMIT ${PAGE} OFFSET ${SKIP}` : sql`LIMIT ${PAGE}`
  const stretches = segments(order, terms)
  const only = stretches[0]
  if (!order.begun || only === undefined || leaderOf(shape)) return sql`${sortedOnce(shape, columns, stretches)} ${end}`
  if (stretches.length === 1) return sql`${walk(shape, columns, only, terms)} ${end}`
  return sql`${chain(stretches.map((each) => sql`${walk(shape, columns, each, terms)} LIMIT ${SKIP_AND_PAGE}`))} ${end}`
}

/** The same, but no further than a window of rows: for SQLite, whose thread is the one that answers everyone. */
export function boundedSql(shape: Shape): Sql {
  const window = windowOf(shape)
  if ('inside' in window) {
    return sql`${walk(shape, told(shape), window.segment, shape.terms, [window.inside])} LIMIT ${PAGE}`
  }
  const { collection, dialect, terms } = shape
  const table = tableOf(collection, dialect).name
  const rest = terms
    .filter((term) => !window.guiding.includes(term))
    .map((term) => condition(collection, term, terms.indexOf(term), dialect, false))
  // Walked in the index alone; the rest of a row is looked at as far as the filter needs it.
  const looked = sql`(${window.walked('rowid AS place')} LIMIT ${String(WINDOW)}) AS looked`
  return sql`SELECT ${told(shape)} FROM ${looked} CROSS JOIN ${table} ON ${table}.rowid = looked.place${where(rest)} LIMIT ${PAGE}`
}

/** A row where the window was not all. */
export function beyondSql(shape: Shape): Sql {
  const window = windowOf(shape)
  if ('beyond' in window) return sql`${walk(shape, '1', window.segment, window.guiding, [window.beyond])} LIMIT 1`
  return sql`${window.walked('1')} LIMIT 1 OFFSET ${String(WINDOW)}`
}

/** The first rows of the order: a range of keys, or so many places in its index. */
type Window = { readonly guiding: readonly Term[] } & (
  | { readonly segment: Segment; readonly inside: Sql; readonly beyond: Sql }
  | { readonly walked: (columns: string) => Sql }
)

function windowOf(shape: Shape): Window {
  const { order, terms } = shape
  const stretches = segments(order, terms)
  const guiding = terms.filter((term) => stretches.some((segment) => guides(shape, segment, term)))
  const segment = stretches[0]
  if (segment !== undefined && walksNumbers(shape)) return { guiding, segment, ...rangeOfKeys(shape, segment, guiding) }
  const most = String(WINDOW + 1)
  const walked = (columns: string) =>
    chain(stretches.map((each) => sql`${walk(shape, columns, each, guiding)} LIMIT ${most}`))
  return { guiding, walked }
}

const walksNumbers = ({ collection, order: { sort, anchor } }: Shape): boolean =>
  sort.length === 1 && sort[0]?.field.name === collection.key && sort[0].field.kind.name === 'integer' && !anchor

/** Keys that are numbers lie close together: a range of them costs nothing to find. */
function rangeOfKeys(shape: Shape, segment: Segment, guiding: readonly Term[]): { inside: Sql; beyond: Sql } {
  const { collection, dialect } = shape
  const key = columnOf(collection, fieldOf(collection, collection.key), dialect).sql
  const first = sql`(${walk(shape, key, segment, guiding)} LIMIT 1)`
  return shape.order.sort[0]?.descending
    ? { inside: sql`${key} >= ${first} - ${String(WINDOW)}`, beyond: sql`${key} < ${first} - ${String(WINDOW)}` }
    : { inside: sql`${key} <= ${first} + ${String(WINDOW)}`, beyond: sql`${key} > ${first} + ${String(WINDOW)}` }
}

export function countSql({ collection, terms, dialect }: Shape): Sql {
  const conditions = terms.map((term, at) => condition(collection, term, at, dialect, true))
  return sql`SELECT count(*) FROM ${tableOf(collection, dialect).name}${where(conditions)}`
}

/** How many rows the filter on one field leads to, counted no further than the limit. */
export function probeSql(shape: Shape, field: Field, limit: number): Sql {
  const { collection, terms, dialect } = shape
  const conditions = terms.flatMap((term, at) =>
    term.field === field ? [condition(collection, term, at, dialect, true)] : [],
  )
  return sql`SELECT count(*) FROM (SELECT 1 FROM ${tableOf(collection, dialect).name}${where(conditions)} LIMIT ${String(limit)}) AS led`
}

const leaderOf = ({ way }: Shape): Field | undefined => (typeof way === 'object' ? way.led : undefined)

export const PAGE: Sql = { text: '?', slots: [({ size }) => size + 1] }
export const SKIP: Sql = { text: '?', slots: [({ skip }) => skip] }
export const SKIP_AND_PAGE: Sql = { text: '?', slots: [({ skip, size }) => skip + size + 1] }

export function told({ collection, dialect, told: fields }: Shape): string {
  const columns = fields.map(({ field }) => {
    const { told, sql } = columnOf(collection, field, dialect)
    return told ?? sql
  })
  return [tableOf(collection, dialect).item, ...columns].map((column, at) => `${column} AS told${at}`).join(', ')
}

/** Both engines run the parts of a UNION ALL one after the other, and no further than the LIMIT behind it. */
export function chain(parts: readonly Sql[]): Sql {
  return join(
    parts.map((part, at) => sql`SELECT * FROM (${part}) AS part${String(at)}`),
    ' UNION ALL ',
  )
}

/** One segment, in its order. */
export function walk(
  shape: Shape,
  columns: string,
  segment: Segment,
  terms: readonly Term[],
  more: readonly Sql[] = [],
): Sql {
  const { collection, dialect } = shape
  const held = segment.holds.map((hold) => holding(shape, hold))
  const filtered = terms.map((term) =>
    condition(collection, term, shape.terms.indexOf(term), dialect, guides(shape, segment, term)),
  )
  return sql`SELECT ${columns} FROM ${tableOf(collection, dialect).name}${where([...held, ...filtered, ...more])} ORDER BY ${orderBy(shape, segment)}`
}

/** No index helps: every matching row is read and sorted, so the segments are alternatives of one condition. */
function sortedOnce(shape: Shape, columns: string, stretches: readonly Segment[]): Sql {
  const { collection, dialect, terms, order } = shape
  const leader = leaderOf(shape)
  const filtered = terms.map((term, at) =>
    condition(collection, term, at, dialect, leader === undefined || term.field === leader),
  )
  const conditions = [...filtered, ...behindCursor(shape, stretches)]
  return sql`SELECT ${columns} FROM ${tableOf(collection, dialect).name}${where(conditions)} ORDER BY ${orderBy(shape, { holds: [], sort: order.sort })}`
}

export function behindCursor(shape: Shape, stretches: readonly Segment[]): readonly Sql[] {
  if (shape.order.from === undefined) return []
  const placed = stretches.map(
    ({ holds }) =>
      sql`(${join(
        holds.map((hold) => holding(shape, hold)),
        ' AND ',
      )})`,
  )
  return [sql`(${join(placed, ' OR ')})`]
}

function holding(shape: Shape, { field, as, place }: Hold): Sql {
  const { collection, dialect, order } = shape
  const own = columnOf(collection, field, dialect)
  const column = { ...(own.order ?? own), sql: sortedBy(shape, field) }
  const at = order.places[place] ?? 0
  const value = bound(column, dialect, ({ from }) => from[at] ?? null)
  switch (as) {
    case 'equal':
      return sql`${column.sql} = ${value}`
    case 'above':
      return sql`${column.sql} > ${value}`
    case 'below':
      return sql`${column.sql} < ${value}`
    case 'null':
      return raw(`${column.sql} IS NULL`)
    case 'not null':
      return raw(`${column.sql} IS NOT NULL`)
  }
}

/** Whether a term leads the planner to the index that the segment is walked by, and to the segment's own start. */
export function guides({ collection, order, way }: Shape, { holds, sort }: Segment, term: Term): boolean {
  const { field, operator } = term
  const hold = holds.find((each) => each.field === field)
  if (hold !== undefined && hold.as !== 'not null') {
    // The cursor's bound is the narrower one on its side.
    return hold.as === 'above'
      ? operator === 'lt' || operator === 'lte'
      : hold.as === 'below' && (operator === 'gt' || operator === 'gte')
  }
  if (way === 'free' || term === order.anchor) return true
  if (operator === 'eq' && field.name === collection.key) return true
  return field === sort[0]?.field && operator !== 'ne' && operator !== 'regex'
}

export const orderBy = (shape: Shape, segment: Segment): string =>
  segment.sort
    .map(({ field, descending }) => {
      // Said only of what can be null: neither engine would otherwise take the index for it, in either direction.
      const said = field.kind.nullable && !hasValues(segment, field, shape.terms)
      const nulls = said ? ` NULLS ${shape.order.backwards ? 'FIRST' : 'LAST'}` : ''
      return `${sortedBy(shape, field)}${descending ? ' DESC' : ''}${nulls}`
    })
    .join(', ')

/** Where another field leads, the sort's own index must not tempt the planner. */
function sortedBy(shape: Shape, field: Field): string {
  const column = columnOf(shape.collection, field, shape.dialect)
  const { sql } = column.order ?? column
  return leaderOf(shape) === undefined ? sql : `+${sql}`
}

export const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('') : sql` WHERE ${join(conditions, ' AND ')}`
