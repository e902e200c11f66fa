import type { Collection } from '../../../queries/collection.ts'
import type { Groups } from '../../../queries/members/groups.ts'
import type { Query } from '../../../queries/query.ts'
import type { Page } from '../../port/desk.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { raw, type Sql, sql } from '../../sql/sql.ts'
import type { Row } from '../../sql/statement.ts'
import { readPage } from '../read-page.ts'
import { prepare, type Select } from '../select.ts'
import { tableOf } from '../tables.ts'
import { PAGE, type SelectShape, SKIP, termConditions, treeConditions, where } from '../texts/select-text.ts'
import { type CoveringTotal, coveringTotal, ITEMS } from '../totals.ts'
import { columnsOf, type GroupColumn, groupOrder, itemOf, partsOf, rowsByValue, valuesOf } from './group-columns.ts'

/** A query for groups. */
export type GroupQuery = Query & { readonly groups: Groups }

export const asksForGroups = (query: Query): query is GroupQuery => query.groups !== undefined

/** The grouped rows, as FROM and WHERE, and their name in statement names. */
export interface GroupedRows {
  readonly name: string
  readonly rowIds?: string
  /** The number of things, if a row stands for many. */
  readonly count?: string
  write(shape: SelectShape): Sql
}

/** The rows that match, found as the planner chooses. */
const matchingRows: GroupedRows = {
  name: 'matching',
  write(shape) {
    const planned: SelectShape = { ...shape, strategy: 'planned' }
    const conditions = [...termConditions(planned, shape.terms, () => true), ...treeConditions(planned)]
    return sql` FROM ${tableOf(shape.collection, shape.dialect).name}${where(conditions)}`
  },
}

/** The rows of a total, each of which stands for things. */
const totalRows = ({ table, terms }: CoveringTotal): GroupedRows => ({
  name: table,
  count: `coalesce(sum(${ITEMS}), 0)`,
  write(shape) {
    const planned: SelectShape = { ...shape, strategy: 'planned' }
    return sql` FROM ${table}${where([raw(`${ITEMS} > 0`), ...termConditions(planned, terms, () => true)])}`
  },
})

/** Whether a query is answered from kept totals. */
export const isKept = (collection: Collection, query: GroupQuery, dialect: SqlDialect): boolean =>
  keptRows(collection, query, dialect) !== undefined

const keptRows = (collection: Collection, query: GroupQuery, dialect: SqlDialect) =>
  dialect.keptSum && coveringTotal(collection, query.filter, query.groups)

/** A page of groups and one more, each as its JSON text; and their number, if the query counts. */
export function groupSelects(
  collection: Collection,
  query: GroupQuery,
  dialect: SqlDialect,
  found?: GroupedRows,
): readonly [page: Select, ...counts: readonly Select[]] {
  const { groups } = query
  const total = found ? undefined : keptRows(collection, query, dialect)
  const rows = found ?? (total ? totalRows(total) : matchingRows)
  const names = groups.list.columns
  const { keptSum } = dialect
  const measured = (shape: SelectShape): SelectShape =>
    total && keptSum ? { ...shape, dialect: { ...dialect, sum: keptSum } } : shape
  const make = (kind: string, write: typeof groupsSql): Select =>
    prepare(
      `${rows.name} ${kind} ${names}`,
      collection,
      query,
      dialect,
      (shape) => write(measured(shape), groups, rows),
      { ...(rows.rowIds && { rowIds: rows.rowIds }) },
    )
  const page = make('groups', groupsSql)
  return query.count ? [page, make('group count', groupCountSql)] : [page]
}

/** The page from the rows of these selects. */
export function readGroupPage(query: GroupQuery, [rows = [], counted]: readonly (readonly Row[])[]): Page {
  const total = counted && Number(counted[0]?.[0])
  return { ...readPage({ ...query, sort: [] }, rows, total), first: undefined, last: undefined }
}

function groupsSql(shape: SelectShape, groups: Groups, rows: GroupedRows): Sql {
  const columns = columnsOf(shape, groups, rows.count)
  return sql`SELECT ${itemOf(columns)} FROM (SELECT ${valuesOf(columns)} FROM (${totals(columns, groups, rowsByValue(shape, groups, rows.write(shape)))}) AS totals) AS grouped${orderBy(shape, columns)} LIMIT ${PAGE} OFFSET ${SKIP}`
}

/** The number of groups. */
function groupCountSql(shape: SelectShape, groups: Groups, rows: GroupedRows): Sql {
  const keys = columnsOf(shape, groups, rows.count).slice(0, groups.by.length)
  return groups.by.length === 0
    ? sql`SELECT 1`
    : sql`SELECT count(*) FROM (${totals(keys, groups, rowsByValue(shape, groups, rows.write(shape)))}) AS totals`
}

/** The parts of the columns, for each group. */
export function totals(columns: readonly GroupColumn[], { by }: Groups, rows: Sql): Sql {
  const parts = partsOf(columns).map(({ sql, name }) => `${sql} AS ${name}`)
  const places = by.map((_, at) => at + 1)
  return sql`SELECT ${parts.join(', ')}${rows}${places.length === 0 ? '' : ` GROUP BY ${places.join(', ')}`}`
}

function orderBy({ order }: SelectShape, columns: readonly GroupColumn[]): string {
  const terms = groupOrder(order.sort, columns).map(
    ({ value, descending }) => `${value}${descending ? ' DESC' : ''} NULLS LAST`,
  )
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`
}
