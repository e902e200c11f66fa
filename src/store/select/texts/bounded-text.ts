import type { Term } from '../../../queries/query.ts'
import { raw, type Sql, sql } from '../../sql/sql.ts'
import { indexedSegments, type Segment, segmentsOf } from '../segments.ts'
import { tableOf } from '../tables.ts'
import {
  dividedTerms,
  keyOrderOf,
  PAGE,
  rowIdsSql,
  type SelectShape,
  segmentSql,
  selectedColumns,
  termConditions,
  treeConditions,
  where,
} from './select-text.ts'

/** The number of rows that a bounded select examines. */
export const WINDOW = 2000

/** A page and one row more from a window of rows only: for an engine that runs on the main thread. */
export function boundedSql(shape: SelectShape): Sql {
  const window = windowOf(shape)
  if ('inside' in window) {
    return sql`${segmentSql(shape, selectedColumns(shape), window.segment, shape.terms, [window.inside, ...treeConditions(shape)])} LIMIT ${PAGE}`
  }
  const { collection, dialect } = shape
  const table = tableOf(collection, dialect).name
  const rest = [...termConditions(shape, window.others, () => false), ...treeConditions(shape)]
  // Scanned in the index alone; further columns are read only as the filter needs them.
  const scanned = sql`(${window.scan} LIMIT ${String(WINDOW)}) AS scanned`
  return sql`SELECT ${selectedColumns(shape)} FROM ${scanned} CROSS JOIN ${table} ON ${table}.${dialect.rowId} = scanned.row_id${where(rest)} LIMIT ${PAGE}`
}

/** Returns a row if the window does not contain all. */
export function remainderSql(shape: SelectShape): Sql {
  const window = windowOf(shape)
  if ('outside' in window) {
    return sql`${segmentSql(shape, '1', window.segment, window.sargable, [window.outside])} LIMIT 1`
  }
  // Rows without a value, which the index does not have, are not known to be none.
  return window.isCut ? raw('SELECT 1') : sql`${window.scan} LIMIT 1 OFFSET ${String(WINDOW)}`
}

/** The first rows of the order: a range of keys, or a number of entries of its index. */
type SelectWindow = { readonly sargable: readonly Term[]; readonly others: readonly Term[] } & (
  | { readonly segment: Segment; readonly inside: Sql; readonly outside: Sql }
  | { readonly scan: Sql; readonly isCut: boolean }
)

function windowOf(shape: SelectShape): SelectWindow {
  const { order, terms } = shape
  const all = segmentsOf(order, terms)
  const segments = indexedSegments(order, terms)
  const divided = dividedTerms(shape, segments)
  const { sargable } = divided
  const segment = segments[0]
  if (segment !== undefined && isSortedByNumber(shape)) {
    return { ...divided, segment, ...rangeOfKeys(shape, segment, sargable) }
  }
  const scan = rowIdsSql(shape, segments, sargable, String(WINDOW + 1))
  return { ...divided, scan, isCut: segments.length < all.length }
}

const isSortedByNumber = (shape: SelectShape): boolean => {
  const { sort, anchor } = shape.order
  const isByKey = sort.length === 1 && sort[0]?.field.name === shape.collection.key
  return isByKey && keyOrderOf(shape).type === 'bigint' && !anchor
}

/** Numeric keys are dense: a range of them costs nothing to find. */
function rangeOfKeys(shape: SelectShape, segment: Segment, sargable: readonly Term[]): { inside: Sql; outside: Sql } {
  const key = keyOrderOf(shape).sql
  const first = sql`(${segmentSql(shape, key, segment, sargable)} LIMIT 1)`
  return shape.order.sort[0]?.descending
    ? { inside: sql`${key} >= ${first} - ${String(WINDOW)}`, outside: sql`${key} < ${first} - ${String(WINDOW)}` }
    : { inside: sql`${key} <= ${first} + ${String(WINDOW)}`, outside: sql`${key} > ${first} + ${String(WINDOW)}` }
}
