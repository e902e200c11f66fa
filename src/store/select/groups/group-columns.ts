import { type CollectionField, fieldOf } from '../../../queries/collection.ts'
import type { DatePart, GroupKey, Groups, Measure } from '../../../queries/members/groups.ts'
import { listField } from '../../../queries/named-choices.ts'
import type { SortTerm } from '../../../queries/query.ts'
import { JOINED_BY, joint, type Kind } from '../../../values/kinds/kind.ts'
import { otherUnits, usualUnit } from '../../../values/kinds/money.ts'
import { type Aggregate, type AggregatePart, type ColumnType, type SqlDialect, summed } from '../../sql/dialect.ts'
import { orNull } from '../../sql/row-document.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { booleanText, columnType, rankOf } from '../kind-columns.ts'
import { tableOf } from '../tables.ts'
import { fieldValue, type GroupPlace, withRelated } from './related-values.ts'

/** A column of a page of groups. */
export interface GroupColumn {
  readonly name: string
  /** The selected parts: for a key one, by which the rows are grouped. */
  readonly parts: readonly AggregatePart[]
  /** The column's value, computed from the parts; it sorts as the column does. */
  value(parts: readonly string[]): string
  /** The value as JSON text. */
  json(value: string): string
}

export function columnsOf(shape: GroupPlace, { by, measures }: Groups, count = 'count(*)'): readonly GroupColumn[] {
  return [
    ...by.map((key, at) => keyColumn(shape, key, at, by)),
    ...measures.map((each) => measureColumn(shape, each, count)),
  ]
}

const nameOf = (column: number): string => `value${column}`
const partNames = (column: number): readonly string[] => [0, 1, 2, 3].map((part) => `part${column}_${part}`)

/** The selected parts, under their names. */
export const partsOf = (columns: readonly GroupColumn[]): readonly (AggregatePart & { readonly name: string })[] =>
  columns.flatMap(({ parts }, at) => parts.map((part, nth) => ({ ...part, name: partNames(at)[nth] ?? '' })))

/** The values of the columns, computed from their parts. */
export const valuesOf = (columns: readonly GroupColumn[]): string =>
  columns.map(({ value }, at) => `${value(partNames(at))} AS ${nameOf(at)}`).join(', ')

/** A group as JSON text, from the values of its columns. */
export const itemOf = (columns: readonly GroupColumn[]): string =>
  `'{${columns.map(({ name, json }, at) => `"${name}":' || ${json(nameOf(at))} || '`).join(',')}}'`

/** The values that groups are sorted by; nulls are last. */
export const groupOrder = (
  sort: readonly SortTerm[],
  columns: readonly GroupColumn[],
): readonly { readonly value: string; readonly descending: boolean }[] =>
  sort.map(({ field, descending }) => ({
    value: nameOf(columns.findIndex(({ name }) => name === field.name)),
    descending,
  }))

/**
 * The grouped rows, as FROM and WHERE: a thing belongs to a group for each value of a set. What splits a set has columns
 * of its own, `id` and `value` among them, so that only the value is added to the columns of the rows.
 */
export function rowsByValue(shape: GroupPlace, groups: Groups, rows: Sql): Sql {
  const { collection, dialect } = shape
  const { name } = tableOf(collection, dialect)
  return groups.by.reduce(
    (each, { field }, at) => {
      if (field.kind.name !== 'choices') return each
      const set = setName(at)
      const values = `${dialect.eachOf(fieldValue(shape, field))} AS ${dialect.rowsNamed(set)}`
      return sql` FROM (SELECT ${name}.*, ${set}.value AS ${set} FROM (SELECT *${each}) AS ${name} LEFT JOIN ${values} ON true) AS ${name}`
    },
    withRelated(shape, groups, rows),
  )
}

const setName = (at: number): string => `set${at}`

function keyColumn(
  shape: GroupPlace,
  { name, field, part }: GroupKey,
  at: number,
  by: readonly GroupKey[],
): GroupColumn {
  const value = field.kind.name === 'choices' ? setName(at) : fieldValue(shape, field)
  const { part: sql, json } =
    part === undefined
      ? keyInOrder(field.kind, value, shape.dialect, by.some(isListOf(field)) ? listedChoices(shape, field) : undefined)
      : { part: partOf(value, part, shape.dialect), json: shape.dialect.quoted }
  return { name, parts: [{ sql, joined: 'max' }], value: only, json }
}

function measureColumn(shape: GroupPlace, measure: Measure, count: string): GroupColumn {
  const { name, does } = measure
  if (!('field' in measure)) return { name, parts: [summed(count)], value: only, json: orNull }
  const { dialect } = shape
  const { kind } = measure.field
  const value = fieldValue(shape, measure.field)
  const listed = listedChoices(shape, measure.field)
  switch (does) {
    case 'count':
      return { name, parts: [summed(`count(${value})`)], value: only, json: orNull }
    case 'sum':
      return { name, ...dialect.sum(value), json: kind.name === 'amount' ? amountOf(dialect, kind) : exactOf(dialect) }
    case 'avg':
      return { name, ...average(shape, measure.field, value), json: amountOf(dialect, kind) }
    default: {
      const { part, json } = listed === undefined ? inOrder(kind, value, dialect) : rankInOrder(listed, dialect)
      return { name, parts: [{ sql: `${does}(${part})`, joined: does }], value: only, json }
    }
  }
}

/** An average of amounts has the decimals of their currency, one of other numbers has three. */
function average(shape: GroupPlace, { kind, currencyIn }: CollectionField, value: string): Aggregate {
  const { dialect, collection } = shape
  if (kind.name !== 'amount') return dialect.average(value, 1000, '1')
  if (currencyIn === undefined) return dialect.average(value, 1, '1')
  const currency = fieldValue(shape, fieldOf(collection, currencyIn))
  const units = [...otherUnits].map(([unit, codes]) => {
    const list = codes.map((code) => `'${code}'`).join(', ')
    return `WHEN ${currency} IN (${list}) THEN ${unit}`
  })
  // All amounts of a group have one currency.
  return dialect.average(value, 1, `max(CASE ${units.join(' ')} ELSE ${usualUnit} END)`)
}

const only = ([part = '']: readonly string[]): string => part
const amountOf =
  (dialect: SqlDialect, { decimals }: Kind<unknown>) =>
  (value: string) =>
    `coalesce(${dialect.amountText(value, decimals)}, 'null')`
const exactOf = (dialect: SqlDialect) => (value: string) => `coalesce(${dialect.exactText(value)}, 'null')`

interface OrderedValue {
  readonly part: string
  json(part: string): string
}

/** The choices of a kind, and the expression that they are found by. */
interface RankedChoices {
  readonly sql: string
  readonly choices: readonly (readonly [found: unknown, rank: number, choice: unknown])[]
}

const rankedChoices = (sql: string, ranks: ReadonlyMap<unknown, number>): RankedChoices => ({
  sql,
  choices: [...ranks].map(([choice, rank]) => [choice, rank, choice] as const),
})

/** Choices of several lists, as the stages of pipelines: each has its place in its own. decisions/0061 */
function listedChoices(shape: GroupPlace, field: CollectionField): RankedChoices | undefined {
  const { within } = field.kind
  if (within === undefined) return undefined
  const list = fieldOf(shape.collection, listField(field, within))
  return {
    sql: `${fieldValue(shape, list)} || '${JOINED_BY}' || ${fieldValue(shape, field)}`,
    choices: [...within.ranks].flatMap(([of, words]) =>
      [...words].map(([word, rank]) => [joint(of, word), rank, word] as const),
    ),
  }
}

const isListOf =
  (choice: CollectionField) =>
  ({ field }: GroupKey): boolean =>
    choice.kind.within !== undefined && field.name === listField(choice, choice.kind.within)

/** Choices differ by their text, which follows their rank: what the model no longer has is behind the others. */
function keyInOrder(
  kind: Kind<unknown>,
  value: string,
  dialect: SqlDialect,
  listed = kind.ranks && rankedChoices(value, kind.ranks),
): OrderedValue {
  if (listed === undefined) return inOrder(kind, value, dialect)
  const { choices } = listed
  const width = String(choices.length).length
  const ranked = (rank: number, choice = ''): string => dialect.literal(`${String(rank).padStart(width, '0')}${choice}`)
  const known = choices.map(
    ([found, rank, choice]) => `WHEN ${dialect.literal(String(found))} THEN ${ranked(rank, String(choice))}`,
  )
  return {
    part: `CASE ${listed.sql} ${known.join(' ')} ELSE ${ranked(choices.length)} || ${value} END`,
    json: (part) => dialect.quoted(`substr(${part}, ${width + 1})`),
  }
}

/** Ranks are compared, and shown as the choices that have them. */
function rankInOrder({ sql, choices }: RankedChoices, dialect: SqlDialect): OrderedValue {
  const told = choices.map(([, rank, choice]) => `WHEN ${rank} THEN ${dialect.literal(JSON.stringify(choice))}`)
  return {
    part: rankOf(sql, new Map(choices.map(([found, rank]) => [found, rank])), dialect),
    json: (rank) => `CASE ${rank} ${told.join(' ')} ELSE 'null' END`,
  }
}

/** A value in its kind's own order: choices and booleans are compared by their ranks. */
function inOrder(kind: Kind<unknown>, value: string, dialect: SqlDialect): OrderedValue {
  if (kind.ranks !== undefined) return rankInOrder(rankedChoices(value, kind.ranks), dialect)
  return byColumn[columnType({ kind })](value, kind, dialect)
}

const byColumn: Readonly<
  Record<ColumnType, (value: string, kind: Kind<unknown>, dialect: SqlDialect) => OrderedValue>
> = {
  text: (value, _kind, dialect) => ({ part: value, json: dialect.quoted }),
  bigint: (value, kind, dialect) => ({
    part: value,
    json: kind.name === 'amount' ? amountOf(dialect, kind) : orNull,
  }),
  boolean: (value) => ({
    part: `CASE WHEN ${value} THEN 1 WHEN NOT ${value} THEN 0 END`,
    json: (bit) => `coalesce(${booleanText(`${bit} = 1`)}, 'null')`,
  }),
}

/** Instants are stored in UTC, so a part of a date is a part of its text. */
function partOf(date: string, part: DatePart, dialect: SqlDialect): string {
  return part === 'week' ? dialect.isoWeek(date) : `substr(${date}, 1, ${partLengths[part]})`
}

const partLengths: Readonly<Record<Exclude<DatePart, 'week'>, number>> = { year: 4, month: 7, day: 10 }
