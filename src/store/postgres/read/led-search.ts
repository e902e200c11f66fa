import type { Key } from '../../../model/declaration/resource.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { type Query, skippedBy, withoutPlace } from '../../../queries/query.ts'
import { columnOf } from '../../select/columns.ts'
import { type GramLead, gramLeads, leadSelect } from '../../select/gram-leads.ts'
import { hasGram } from '../../select/grams.ts'
import type { GroupedRows } from '../../select/groups/group-text.ts'
import { columnType } from '../../select/kind-columns.ts'
import { orderOf } from '../../select/order.ts'
import { segmentsOf } from '../../select/segments.ts'
import { prepare, type Select } from '../../select/select.ts'
import { tableOf } from '../../select/tables.ts'
import {
  behindCursor,
  dividedTerms,
  orderBy,
  PAGE,
  type SelectShape,
  SKIP,
  segmentSql,
  selectedColumns,
  termConditions,
  treeConditions,
  unionAll,
  where,
} from '../../select/texts/select-text.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import type { Row } from '../../sql/statement.ts'
import { postgres } from '../sql/dialect.ts'
import type { GramStatistics } from './gram-statistics.ts'

/** Rows along the sort that are read in the time that the index takes to lead to one. */
const FOR_ONE = 4
/** Fewer rows along the sort do not justify a separate statement, and more are not read. */
const [FEWEST_NEARBY, MOST_NEARBY] = [500, 20_000]
/** From this number of rows on, reading along the sort is faster. */
const MANY = 20_000
/** The same if no index has the sort, or all rows are counted: all rows would be read otherwise. */
const MANY_OF_ALL = 100_000
/** Rows checked at once. */
const FEW = 1000

/** Gives the rows of a select. */
export type Run = (select: Select) => Promise<readonly Row[]>

/** The page among the first rows of the sort; undefined if they do not fill it, or probably would not. */
export async function nearbyRows(
  collection: Collection,
  query: Query,
  statistics: GramStatistics,
  run: Run,
): Promise<readonly Row[] | undefined> {
  const filter = query.filter
  if (skippedBy(query) > 0 || !orderOf(collection, query).indexed) return undefined
  const leads = gramLeads(collection, filter)
  const many = nearbyCount(leads, statistics)
  if (leads.length === 0 || many === undefined) return undefined
  const write = (shape: SelectShape) => nearbySql(shape, many)
  const rows = await run(prepare(`nearby ${many}`, collection, query, postgres, write))
  return rows.length > query.size ? rows : undefined
}

/**
 * As many as can be read while the index would lead to the rows, or more if it may lead to too many; a full page ends
 * it sooner.
 */
function nearbyCount(leads: readonly GramLead[], { atMost, expected }: GramStatistics): number | undefined {
  const own = leads
    .filter((lead) => lead.length === 1)
    .flatMap(([text]) => (text?.related ? [] : (text?.literals ?? [])))
  const led = own.length === 0 ? undefined : expected(own)
  if (led === undefined) return FEWEST_NEARBY
  const words = own.filter(hasGram)
  const many = FOR_ONE * led
  if (many >= MOST_NEARBY || (words.length > 0 && words.every((word) => atMost(word) >= MANY))) return MOST_NEARBY
  // Few different numbers, for few statements.
  return many < FEWEST_NEARBY
    ? undefined
    : FEWEST_NEARBY * 4 ** Math.floor(Math.log(many / FEWEST_NEARBY) / Math.log(4))
}

/** If the sort has several parts, all of the rows are sorted, whether or not the page fills: few are read. */
function nearbySql(shape: SelectShape, many: number): Sql {
  const { collection, dialect, order, terms } = shape
  const segments = segmentsOf(order, terms)
  const limit = String(segments.length === 1 ? many : FEWEST_NEARBY)
  const { sargable, others } = dividedTerms(shape, segments)
  const scans = segments.map(
    (each) => sql`${segmentSql(shape, `${tableOf(collection, dialect).name}.*`, each, sargable)} LIMIT ${limit}`,
  )
  const conditions = [...termConditions(shape, others, () => false), ...treeConditions(shape)]
  const near = scans.length === 1 ? join(scans, '') : sql`${unionAll(scans)} LIMIT ${limit}`
  return sql`SELECT ${selectedColumns(shape)} FROM (${near}) AS ${tableOf(collection, dialect).name}${where(conditions)} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort })} LIMIT ${PAGE}`
}

/**
 * The keys of the rows that the index of grams leads to; undefined if it leads to too many, or has nothing to look up.
 */
export async function ledKeys(
  collection: Collection,
  query: Query,
  statistics: GramStatistics,
  run: Run,
): Promise<readonly Key[] | undefined> {
  const filter = query.filter
  const leads = gramLeads(collection, filter)
  const many = query.count || !orderOf(collection, query).indexed ? MANY_OF_ALL : MANY
  let keys: ReadonlySet<unknown> | undefined
  // One after the other: the first may leave few enough.
  for (const lead of leads) {
    const rows = await run(leadSelect(collection, rareOf(lead, statistics), postgres, 'key', many))
    if (rows.length >= many) continue
    const found = new Set(rows.map(([key]) => key))
    keys = keys?.intersection(found) ?? found
    if (keys.size < FEW) break
  }
  return keys && ([...keys].filter((key) => key !== null) as Key[])
}

/**
 * Without common words if there is a rare one: their long lists would be read in vain, since the rows are checked for
 * every word.
 */
function rareOf(lead: GramLead, { atMost }: GramStatistics): GramLead {
  const [words, ...others] = lead
  if (words === undefined || words.literals.length === 1 || others.length > 0) return lead
  const rare = words.literals.filter((literal) => atMost(literal) < MANY)
  return rare.length === 0 ? lead : [{ ...words, literals: rare }]
}

/** The page, or the number, of those rows that match the filter. */
export function amongSelect(
  collection: Collection,
  query: Query,
  keys: readonly Key[],
  gives: 'rows' | 'count',
): Select {
  const asked: Query = gives === 'rows' ? query : { ...withoutPlace(query), sort: [] }
  const write = (shape: SelectShape) => amongSql(shape, gives)
  return prepare(`among ${gives}`, collection, asked, postgres, write, { rowIds: JSON.stringify(keys) })
}

/** Those rows, for grouping. */
export const amongRows = (keys: readonly Key[]): GroupedRows => ({
  name: 'among',
  rowIds: JSON.stringify(keys),
  write: (shape) => among(shape, []),
})

function amongSql(shape: SelectShape, gives: 'rows' | 'count'): Sql {
  const { order, terms } = shape
  const from = among(shape, behindCursor(shape, segmentsOf(order, terms)))
  if (gives === 'count') return sql`SELECT count(*)${from}`
  return sql`SELECT ${selectedColumns(shape)}${from} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort })} LIMIT ${PAGE} OFFSET ${SKIP}`
}

function among(shape: SelectShape, more: readonly Sql[]): Sql {
  const { collection, dialect, terms } = shape
  const key = fieldOf(collection, collection.key)
  const list = sql`SELECT value::${columnType(key)} FROM json_array_elements_text(${KEYS}) AS value`
  const isAmong = sql`${columnOf(collection, key, dialect).sql} = ANY (ARRAY(${list}))`
  const conditions = [isAmong, ...termConditions(shape, terms, () => true), ...treeConditions(shape), ...more]
  return sql` FROM ${tableOf(collection, dialect).name}${where(conditions)}`
}

const KEYS: Sql = { text: '?::json', slots: [({ rowIds }) => rowIds] }
