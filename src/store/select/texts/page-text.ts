import { type CollectionField, fieldOf } from '../../../queries/collection.ts'
import { resourceOf } from '../../../queries/collections.ts'
import { isOwn } from '../../../values/json/own.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnOf } from '../columns.ts'
import { reversed } from '../order.ts'
import { type Segment, segmentsOf } from '../segments.ts'
import { tableOf } from '../tables.ts'
import {
  behindCursor,
  type Driver,
  driverOf,
  leadOf,
  orderBy,
  PAGE,
  type SelectShape,
  SKIP,
  SKIP_AND_PAGE,
  segmentSql,
  selectedColumns,
  termConditions,
  treeConditions,
  unionAll,
  where,
} from './select-text.ts'

/** A page and one row more, from the sort's index if there is one. */
export function pageSql(shape: SelectShape): Sql {
  const { order, skips, terms } = shape
  const end = skips ? sql`LIMIT ${PAGE} OFFSET ${SKIP}` : sql`LIMIT ${PAGE}`
  const segments = segmentsOf(order, terms)
  const only = segments[0]
  if (!order.startsIndexed || only === undefined || driverOf(shape)) {
    return sql`${sortedOnce(shape, selectedColumns(shape), segments)} ${end}`
  }
  if (skips && resourceOf(shape.collection) !== undefined) return numberedSql(shape, segments)
  const trees = treeConditions(shape)
  const read = (each: Segment): Sql =>
    segmentSql(shape, selectedColumns(shape, sortedByLead(shape, each)), each, terms, trees, SKIP_AND_PAGE)
  if (segments.length === 1) return sql`${read(only)} ${end}`
  return sql`${unionAll(segments.map((each) => sql`${read(each)} LIMIT ${SKIP_AND_PAGE}`))} ${end}`
}

/** The first field of the sort, if its index leads to the rows; for a choice, an equality may do so. */
function sortedByLead(shape: SelectShape, segment: Segment): CollectionField | undefined {
  const lead = leadOf(shape, segment)
  return lead !== undefined && lead === shape.order.sort[0]?.field ? lead : undefined
}

/** A page by its number: the preceding rows are skipped in the index alone. */
function numberedSql(shape: SelectShape, segments: readonly Segment[]): Sql {
  const { collection, dialect, order } = shape
  const { name } = tableOf(collection, dialect)
  const key = dialect.indexedKey(columnOf(collection, fieldOf(collection, collection.key), dialect).sql)
  const { text, slots } = passedOver(shape, segments, key)
  const found: Sql = { text: dialect.isOneOf(text, key), slots }
  return sql`SELECT ${selectedColumns(shape)} FROM ${name} WHERE ${found} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort }, false)}`
}

/** The keys of the page's rows, from the nearer end of the order. */
function passedOver(shape: SelectShape, segments: readonly Segment[], key: string): Sql {
  const { collection, dialect, order, terms, trees } = shape
  const scan = (segment: Segment): Sql => segmentSql(shape, key, segment, terms, treeConditions(shape))
  const first = order.sort[0]?.field
  const isLed = first !== undefined && columnOf(collection, first, dialect).led !== undefined
  if (segments.length > 1 && (!dialect.placesNulls || order.cursor !== undefined || isLed)) {
    return sql`${unionAll(segments.map((each) => sql`${scan(each)} LIMIT ${SKIP_AND_PAGE}`))} LIMIT ${PAGE} OFFSET ${SKIP}`
  }
  const [only] = segments
  const forwards = only !== undefined && segments.length === 1 ? only : { bounds: [], sort: order.sort }
  const { name } = tableOf(collection, dialect)
  const behind = dialect.rowsBehind(name)
  if (behind === undefined || terms.length > 0 || trees.length > 0 || order.cursor !== undefined) {
    return sql`${scan(forwards)} LIMIT ${PAGE} OFFSET ${SKIP}`
  }
  const backwards = scan({ bounds: [], sort: order.sort.map(reversed) })
  // No table has more rows than its last row's number: in the first half they need not be counted, and elsewhere once.
  const last = `(SELECT max(${dialect.rowId}) FROM ${name})`
  const counted = sql`SELECT CASE WHEN 2 * ${SKIP} < ${last} THEN ${SKIP} ELSE ${{ text: behind, slots: SKIP.slots }} END`
  const rest = '(SELECT rest FROM counted)'
  const least: Sql = { text: dialect.smaller(PAGE.text, rest), slots: PAGE.slots }
  const nearer = unionAll([
    sql`${scan(forwards)} LIMIT CASE WHEN ${rest} < ${SKIP} THEN 0 ELSE ${PAGE} END OFFSET ${SKIP}`,
    sql`${backwards} LIMIT CASE WHEN ${rest} < ${SKIP} THEN ${least} ELSE 0 END OFFSET ${rest} - ${PAGE}`,
  ])
  return sql`WITH counted (rest) AS MATERIALIZED (${counted}) ${nearer}`
}

/** The rows that the index of an added field leads to are read in the order of their ids: they need no sorting by it. */
const isByRowId = ({ collection, order }: SelectShape, driver: Driver): boolean =>
  'name' in driver && isOwn(driver.name) && order.sort[0]?.field.name === collection.key

/** No index helps: every matching row is read and sorted, so the segments are alternatives of one condition. */
function sortedOnce(shape: SelectShape, columns: string, segments: readonly Segment[]): Sql {
  const { collection, dialect, terms, order } = shape
  const driver = driverOf(shape)
  const filtered = termConditions(shape, terms, ({ field }) => driver === undefined || field === driver)
  const conditions = [...filtered, ...treeConditions(shape), ...behindCursor(shape, segments)]
  const byIndex = driver === undefined || isByRowId(shape, driver)
  return sql`SELECT ${columns} FROM ${tableOf(collection, dialect).name}${where(conditions)} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort }, byIndex)}`
}
