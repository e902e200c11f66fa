import type { Key } from '../../../model/resource.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { type Filter, type Query, skippedBy, withoutPlace } from '../../../queries/query.ts'
import { columnOf, columnType, tableOf } from '../../sql/columns.ts'
import { type GramLead, gramLeads, leadSelect } from '../../sql/select/gram-leads.ts'
import type { GroupedRows } from '../../sql/select/group-text.ts'
import { orderOf } from '../../sql/select/order.ts'
import { segmentsOf } from '../../sql/select/segments.ts'
import { prepare, type Select } from '../../sql/select/select.ts'
import {
  behindCursor,
  isSargable,
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
} from '../../sql/select/select-text.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { Row } from '../../sql/statement.ts'
import { postgres } from '../dialect.ts'

/** Rows that are looked at along the sort first: a common word is among them. */
const NEARBY = '500'
/** From this number of rows on, reading along the sort is faster. */
const MANY = 20_000
/** Rows that are checked at once. */
const FEW = 1000

type Run = (select: Select) => Promise<readonly Row[]>

/** The page among the first rows of the sort; undefined if they do not fill it. */
export async function nearbyRows(
  collection: Collection,
  scope: Filter,
  query: Query,
  run: Run,
): Promise<readonly Row[] | undefined> {
  const filter = [...scope, ...query.filter]
  if (skippedBy(query) > 0 || !orderOf(collection, filter, query).indexed) return undefined
  if (gramLeads(collection, filter).length === 0) return undefined
  const rows = await run(prepare('nearby', collection, scope, query, postgres, nearbySql))
  return rows.length > query.size ? rows : undefined
}

function nearbySql(shape: SelectShape): Sql {
  const { collection, dialect, order, terms } = shape
  const segments = segmentsOf(order, terms)
  const sargable = terms.filter((term) => segments.some((segment) => isSargable(shape, segment, term)))
  const scans = segments.map((each) => sql`${segmentSql(shape, '*', each, sargable)} LIMIT ${NEARBY}`)
  const rest = terms.filter((term) => !sargable.includes(term))
  const conditions = [...termConditions(shape, rest, () => false), ...treeConditions(shape)]
  const near = sql`(${unionAll(scans)} LIMIT ${NEARBY}) AS ${tableOf(collection, dialect).name}`
  return sql`SELECT ${selectedColumns(shape)} FROM ${near}${where(conditions)} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort })} LIMIT ${PAGE}`
}

/** The keys of the rows that the index of grams leads to; undefined if it leads to too many, or to none. */
export async function ledKeys(
  collection: Collection,
  scope: Filter,
  query: Query,
  run: Run,
): Promise<readonly Key[] | undefined> {
  const leads = gramLeads(collection, [...scope, ...query.filter])
  let keys: ReadonlySet<unknown> | undefined
  // One after the other: what the first leaves may be few enough.
  for (const lead of leads) {
    const rows = await run(leadSelect(collection, await rareOf(collection, lead, run), postgres, 'key', MANY))
    if (rows.length >= MANY) continue
    const found = new Set(rows.map(([key]) => key))
    keys = keys?.intersection(found) ?? found
    if (keys.size < FEW) break
  }
  return keys && ([...keys].filter((key) => key !== null) as Key[])
}

/**
 * Without the words that lead to many rows, beside one that does not: their long lists would be read in vain, since the
 * rows are checked for every word. The planner knows how common words are; before it does, all are looked for.
 */
async function rareOf(collection: Collection, lead: GramLead, run: Run): Promise<GramLead> {
  const [words, ...others] = lead
  if (words === undefined || words.literals.length === 1 || others.length > 0) return lead
  const apart = words.literals.map((literal) => ({ ...words, literals: [literal] }))
  const { text, values } = leadSelect(collection, apart, postgres, 'key', MANY)
  const [[answer] = []] = await run({ text: `EXPLAIN (FORMAT JSON) ${text}`, values })
  const [{ Plan: limit }] = JSON.parse(String(answer)) as readonly [LeadPlan]
  const expected = limit.Plans[0]?.Plans ?? []
  const rare = words.literals.filter((_, at) => Number(expected[at]?.['Plan Rows']) < MANY)
  return rare.length === 0 ? lead : [{ ...words, literals: rare }]
}

/** A limit on the rows of several parts. */
interface LeadPlan {
  readonly Plan: { readonly Plans: readonly { readonly Plans: readonly { readonly 'Plan Rows': number }[] }[] }
}

/** The page, or the number, of those rows that match the filter. */
export function amongSelect(
  collection: Collection,
  scope: Filter,
  query: Query,
  keys: readonly Key[],
  gives: 'rows' | 'count',
): Select {
  const asked: Query = gives === 'rows' ? query : { ...withoutPlace(query), sort: [] }
  const write = (shape: SelectShape) => amongSql(shape, gives)
  return prepare(`among ${gives}`, collection, scope, asked, postgres, write, { rowIds: JSON.stringify(keys) })
}

/** Those rows, to be grouped. */
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
