import type { Collection } from '../queries/collection.ts'
import type { SortTerm, Term } from '../queries/query.ts'
import { columnOf, tableOf } from './columns.ts'
import { bound, condition } from './conditions.ts'
import type { Order } from './order.ts'
import { type Hold, type Segment, segments } from './segments.ts'
import { type Dialect, join, raw, type Sql, sql } from './sql.ts'

/** How many rows a bounded select looks at. */
export const WINDOW = 2000

/**
 * `sorted` walks the sort's index and leaves out what does not match: right unless few rows match.
 * `free` lets the planner take the filter's index and sort: right when few do.
 */
export type Way = 'sorted' | 'free'

/** What a text is made from: everything of a query but its values. */
export interface Shape {
  readonly collection: Collection
  readonly terms: readonly Term[]
  readonly order: Order
  /** What each row tells besides its item. */
  readonly told: readonly SortTerm[]
  readonly skips: boolean
  readonly dialect: Dialect
  readonly way: Way | 'bounded' | 'count'
}

/** A page and one row more, from the sort's index where there is one. */
export function pageSql(shape: Shape): Sql {
  const { order, skips, terms } = shape
  const columns = told(shape)
  const end = skips ? sql`LIMIT ${PAGE} OFFSET ${SKIP}` : sql`LIMIT ${PAGE}`
  const stretches = segments(order.sort, order.after, terms)
  const only = stretches[0]
  if (!order.begun || only === undefined) return sql`${sortedOnce(shape, columns, stretches)} ${end}`
  if (stretches.length === 1) return sql`${walk(shape, columns, only, terms)} ${end}`
  return sql`${chain(stretches.map((each) => sql`${walk(shape, columns, each, terms)} LIMIT ${SKIP_AND_PAGE}`))} ${end}`
}

/** The filter that no index answers is asked of the window's rows only. */
export function boundedSql(shape: Shape): Sql {
  const { collection, dialect, order, terms, told: fields } = shape
  const stretches = segments(order.sort, order.after, terms)
  const inside = terms.filter((term) => stretches.some((segment) => guides(shape, segment, term)))
  const outside = terms.filter((term) => !inside.includes(term))
  const window = (columns: string) =>
    chain(stretches.map((each) => sql`${walk(shape, columns, each, inside)} LIMIT ${String(WINDOW)}`))
  const rest = outside.map((term) => condition(collection, term, terms.indexOf(term), dialect, true))
  const nothing = ['NULL', ...fields.map(() => 'NULL')].join(', ')
  // The second part is reached only when the first did not fill the page.
  return sql`SELECT ${told(shape)} FROM (${window('*')} LIMIT ${String(WINDOW)}) AS looked${where(rest)} UNION ALL SELECT ${nothing} FROM (${window('1')} LIMIT 1 OFFSET ${String(WINDOW - 1)}) AS last LIMIT ${PAGE}`
}

export function countSql({ collection, terms, dialect }: Shape): Sql {
  const conditions = terms.map((term, at) => condition(collection, term, at, dialect, true))
  return sql`SELECT count(*) FROM ${tableOf(collection, dialect).name}${where(conditions)}`
}

const PAGE: Sql = { text: '?', slots: [({ size }) => size + 1] }
const SKIP: Sql = { text: '?', slots: [({ skip }) => skip] }
const SKIP_AND_PAGE: Sql = { text: '?', slots: [({ skip, size }) => skip + size + 1] }

function told({ collection, dialect, told: fields }: Shape): string {
  const columns = fields.map(({ field }) => columnOf(collection, field, dialect).sql)
  return [tableOf(collection, dialect).item, ...columns].map((column, at) => `${column} AS told${at}`).join(', ')
}

/** Both engines run the parts of a UNION ALL one after the other, and no further than the LIMIT behind it. */
function chain(parts: readonly Sql[]): Sql {
  return join(
    parts.map((part, at) => sql`SELECT * FROM (${part}) AS part${String(at)}`),
    ' UNION ALL ',
  )
}

/** One segment, in its order. */
function walk(shape: Shape, columns: string, segment: Segment, terms: readonly Term[]): Sql {
  const { collection, dialect } = shape
  const held = segment.holds.map((hold) => holding(shape, hold))
  const filtered = terms.map((term) =>
    condition(collection, term, shape.terms.indexOf(term), dialect, guides(shape, segment, term)),
  )
  return sql`SELECT ${columns} FROM ${tableOf(collection, dialect).name}${where([...held, ...filtered])} ORDER BY ${orderBy(shape, segment.sort)}`
}

/** No index helps: every matching row is read and sorted, so the segments are alternatives of one condition. */
function sortedOnce(shape: Shape, columns: string, stretches: readonly Segment[]): Sql {
  const { collection, dialect, terms, order } = shape
  const filtered = terms.map((term, at) => condition(collection, term, at, dialect, true))
  const placed = stretches.map(
    ({ holds }) =>
      sql`(${join(
        holds.map((hold) => holding(shape, hold)),
        ' AND ',
      )})`,
  )
  const conditions = order.after === undefined ? filtered : [...filtered, sql`(${join(placed, ' OR ')})`]
  return sql`SELECT ${columns} FROM ${tableOf(collection, dialect).name}${where(conditions)} ORDER BY ${orderBy(shape, order.sort)}`
}

function holding({ collection, dialect, order }: Shape, { field, as, place }: Hold): Sql {
  const column = columnOf(collection, field, dialect)
  const at = order.places[place] ?? 0
  const value = bound(column, dialect, ({ after }) => after[at] ?? null)
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
function guides({ collection, order, way }: Shape, { holds, sort }: Segment, term: Term): boolean {
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

const orderBy = ({ collection, dialect }: Shape, sort: readonly SortTerm[]): string =>
  sort
    .map(({ field, descending }) => {
      // Said only of what can be null: PostgreSQL would otherwise not take the index for it.
      const nulls = field.kind.nullable ? ' NULLS LAST' : ''
      return `${columnOf(collection, field, dialect).sql}${descending ? ' DESC' : ''}${nulls}`
    })
    .join(', ')

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('') : sql` WHERE ${join(conditions, ' AND ')}`
