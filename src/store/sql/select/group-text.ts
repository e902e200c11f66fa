import { type Collection, type CollectionField, fieldOf } from '../../../queries/collection.ts'
import type { DatePart, GroupKey, Groups, Measure } from '../../../queries/groups/groups.ts'
import type { Filter, Query } from '../../../queries/query.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { otherUnits, usualUnit } from '../../../values/kinds/money.ts'
import type { Page } from '../../port/store.ts'
import { booleanText, columnOf, rankOf, tableOf } from '../columns.ts'
import type { Aggregate, SqlDialect } from '../dialect.ts'
import { orNull } from '../row-document.ts'
import { raw, type Sql, sql } from '../sql.ts'
import type { Row } from '../statement.ts'
import { type CoveringTotal, coveringTotal, ITEMS } from '../totals.ts'
import { readPage } from './read-page.ts'
import { relatedRows } from './related-rows.ts'
import { prepare, type Select } from './select.ts'
import { PAGE, type SelectShape, SKIP, termConditions, treeConditions, where } from './select-text.ts'

/** A query for groups. */
export type GroupQuery = Query & { readonly groups: Groups }

export const asksForGroups = (query: Query): query is GroupQuery => query.groups !== undefined

/** The rows that are grouped, as FROM and WHERE, and what they are called in names of statements. */
export interface GroupedRows {
  readonly name: string
  readonly rowIds?: string
  /** How many things they are, where a row stands for many. */
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

/** The rows of a total, which stand for things. */
const totalRows = ({ table, terms }: CoveringTotal): GroupedRows => ({
  name: table,
  count: `coalesce(sum(${ITEMS}), 0)`,
  write(shape) {
    const planned: SelectShape = { ...shape, strategy: 'planned' }
    return sql` FROM ${table}${where([raw(`${ITEMS} > 0`), ...termConditions(planned, terms, () => true)])}`
  },
})

/** A page of groups and one more, each as its JSON text; and how many there are, where the query counts. */
export function groupSelects(
  collection: Collection,
  scope: Filter,
  query: GroupQuery,
  dialect: SqlDialect,
  found?: GroupedRows,
): readonly [page: Select, ...counts: readonly Select[]] {
  const { groups } = query
  const total = dialect.keptSum && !found ? coveringTotal(collection, [...scope, ...query.filter], groups) : undefined
  const rows = found ?? (total ? totalRows(total) : matchingRows)
  const names = groups.list.columns
  const { keptSum } = dialect
  const measured = (shape: SelectShape): SelectShape =>
    total && keptSum ? { ...shape, dialect: { ...dialect, sum: keptSum } } : shape
  const make = (kind: string, write: typeof groupsSql): Select =>
    prepare(
      `${rows.name} ${kind} ${names}`,
      collection,
      scope,
      query,
      dialect,
      (shape) => write(measured(shape), groups, rows),
      { ...(rows.rowIds && { rowIds: rows.rowIds }) },
    )
  const page = make('groups', groupsSql)
  return query.count ? [page, make('group count', groupCountSql)] : [page]
}

/** The page that the rows of these selects make. */
export function readGroupPage(query: GroupQuery, [rows = [], counted]: readonly (readonly Row[])[]): Page {
  const total = counted && Number(counted[0]?.[0])
  return { ...readPage({ ...query, sort: [] }, rows, total), first: undefined, last: undefined }
}

function groupsSql(shape: SelectShape, groups: Groups, rows: GroupedRows): Sql {
  const columns = columnsOf(shape, groups, rows)
  const values = columns.map(({ value }, at) => `${value(partNames(at))} AS ${nameOf(at)}`)
  const members = columns.map(({ name, json }, at) => `"${name}":' || ${json(nameOf(at))} || '`)
  return sql`SELECT '{${members.join(',')}}' FROM (SELECT ${values.join(', ')} FROM (${totals(columns, groups, rows.write(shape))}) AS totals) AS grouped${orderBy(shape, columns)} LIMIT ${PAGE} OFFSET ${SKIP}`
}

/** How many groups there are. */
function groupCountSql(shape: SelectShape, groups: Groups, rows: GroupedRows): Sql {
  const keys = columnsOf(shape, groups, rows).slice(0, groups.by.length)
  return groups.by.length === 0
    ? sql`SELECT 1`
    : sql`SELECT count(*) FROM (${totals(keys, groups, rows.write(shape))}) AS totals`
}

/** A column of a page of groups. */
interface GroupColumn {
  readonly name: string
  /** What is selected of the rows. */
  readonly parts: readonly string[]
  /** The column's value, made of the parts; it sorts as the column does. */
  value(parts: readonly string[]): string
  /** The value as JSON text. */
  json(value: string): string
}

function columnsOf(
  shape: SelectShape,
  { by, measures }: Groups,
  { count = 'count(*)' }: GroupedRows,
): readonly GroupColumn[] {
  return [...by.map((key) => keyColumn(shape, key)), ...measures.map((each) => measureColumn(shape, each, count))]
}

const nameOf = (column: number): string => `value${column}`
const partNames = (column: number): readonly string[] => [0, 1, 2, 3].map((part) => `part${column}_${part}`)

function totals(columns: readonly GroupColumn[], { by }: Groups, rows: Sql): Sql {
  const parts = columns.flatMap(({ parts }, at) => parts.map((part, nth) => `${part} AS ${partNames(at)[nth]}`))
  const places = by.map((_, at) => at + 1)
  return sql`SELECT ${parts.join(', ')}${rows}${places.length === 0 ? '' : ` GROUP BY ${places.join(', ')}`}`
}

function orderBy({ order }: SelectShape, columns: readonly GroupColumn[]): string {
  const terms = order.sort.map(({ field, descending }) => {
    const at = columns.findIndex(({ name }) => name === field.name)
    return `${nameOf(at)}${descending ? ' DESC' : ''} NULLS LAST`
  })
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`
}

function keyColumn(shape: SelectShape, { name, field, part }: GroupKey): GroupColumn {
  const value = fieldValue(shape, field)
  if (part === undefined) return { name, ...inOrder(field.kind, value, shape.dialect) }
  return { name, parts: [partOf(value, part, shape.dialect)], value: only, json: shape.dialect.quoted }
}

function measureColumn(shape: SelectShape, measure: Measure, count: string): GroupColumn {
  const { name, does } = measure
  if (!('field' in measure)) return { name, parts: [count], value: only, json: orNull }
  const { dialect } = shape
  const { kind } = measure.field
  const value = fieldValue(shape, measure.field)
  switch (does) {
    case 'count':
      return { name, parts: [`count(${value})`], value: only, json: orNull }
    case 'sum':
      return { name, ...dialect.sum(value), json: kind.name === 'amount' ? amountOf(dialect, kind) : exactOf(dialect) }
    case 'avg':
      return { name, ...average(shape, measure.field, value), json: amountOf(dialect, kind) }
    default: {
      const { parts, ...column } = inOrder(kind, value, dialect)
      return { name, ...column, parts: parts.map((part) => `${does}(${part})`) }
    }
  }
}

/** A mean of amounts has the decimals of their currency, one of other numbers has three. */
function average(shape: SelectShape, { kind, currencyIn }: CollectionField, value: string): Aggregate {
  const { dialect, collection } = shape
  if (kind.name !== 'amount') return dialect.average(value, 1000, '1')
  if (currencyIn === undefined) return dialect.average(value, 1, '1')
  // All amounts of a group have one currency.
  const currency = `max(${fieldValue(shape, fieldOf(collection, currencyIn))})`
  const units = [...otherUnits].map(([unit, codes]) => {
    const list = codes.map((code) => `'${code}'`).join(', ')
    return `WHEN ${currency} IN (${list}) THEN ${unit}`
  })
  return dialect.average(value, 1, `CASE ${units.join(' ')} ELSE ${usualUnit} END`)
}

const only = ([part = '']: readonly string[]): string => part
const amountOf =
  (dialect: SqlDialect, { decimals }: Kind<unknown>) =>
  (value: string) =>
    `coalesce(${dialect.amountText(value, decimals)}, 'null')`
const exactOf = (dialect: SqlDialect) => (value: string) => `coalesce(${dialect.exactText(value)}, 'null')`

/** A value in its kind's own order: choices and booleans are compared by their ranks. */
function inOrder(kind: Kind<unknown>, value: string, dialect: SqlDialect): Omit<GroupColumn, 'name'> {
  if (kind.ranks !== undefined) {
    const choices = [...kind.ranks].map(([choice, rank]) => `WHEN ${rank} THEN '"${choice}"'`).join(' ')
    const json = (rank: string): string => `CASE ${rank} ${choices} ELSE 'null' END`
    return { parts: [rankOf(value, kind.ranks)], value: only, json }
  }
  switch (kind.name) {
    case 'integer':
      return { parts: [value], value: only, json: orNull }
    case 'amount':
      return { parts: [value], value: only, json: amountOf(dialect, kind) }
    case 'boolean':
      return {
        parts: [`CASE WHEN ${value} THEN 1 WHEN NOT ${value} THEN 0 END`],
        value: only,
        json: (bit) => `coalesce(${booleanText(`${bit} = 1`)}, 'null')`,
      }
    default:
      return { parts: [value], value: only, json: dialect.quoted }
  }
}

/** Instants are kept in UTC, so a part of a date is a part of its text. */
function partOf(date: string, part: DatePart, dialect: SqlDialect): string {
  return part === 'week' ? dialect.isoWeek(date) : `substr(${date}, 1, ${partLengths[part]})`
}

const partLengths: Readonly<Record<Exclude<DatePart, 'week'>, number>> = { year: 4, month: 7, day: 10 }

/** A field's own value, also of a related row. */
function fieldValue({ collection, dialect }: SelectShape, field: CollectionField): string {
  const { through } = field
  if (through === undefined) return ownValue(collection, field, dialect)
  const { collection: related, table, key, reference } = relatedRows(collection, through, dialect)
  const value = ownValue(related, through.field, dialect)
  return `(SELECT ${value} FROM ${table} AS related WHERE related.${key} = ${reference})`
}

function ownValue(collection: Collection, field: CollectionField, dialect: SqlDialect): string {
  const { sql, selected, whole } = columnOf(collection, field, dialect)
  return whole ?? selected ?? sql
}
