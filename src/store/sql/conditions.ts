import type { Collection } from '../../queries/collection.ts'
import type { Operator, Term } from '../../queries/query.ts'
import { type Column, columnOf } from './columns.ts'
import { type Dialect, join, raw, type Slot, type Sql, sql } from './sql.ts'

/** The condition that a term stands for; `at` is its place among the terms that are asked. */
export function condition(collection: Collection, term: Term, at: number, dialect: Dialect, guides: boolean): Sql {
  const column = columnOf(collection, term.field, dialect)
  // SQLite's planner takes a column behind a unary plus for an expression, and so looks for no index.
  const plus = guides || dialect === 'postgres' ? '' : '+'
  const name = `${plus}${column.sql}`
  const values = term.values.map((_, nth) => bound(column, dialect, (asked) => asked.terms[at]?.values[nth] ?? null))
  switch (term.operator) {
    case 'eq':
      if (column.is && isConstant(term)) return raw(`${plus}${term.values[0] ? column.is.true : column.is.false}`)
      return sql`${name} ${oneOf(values)}`
    case 'ne':
      return term.field.kind.nullable
        ? sql`(${column.sql} IS NULL OR NOT ${column.sql} ${oneOf(values)})`
        : sql`NOT ${name} ${oneOf(values)}`
    case 'regex':
      return sql`(${join(
        values.map((_, nth) => matching(column, dialect, (asked) => asked.terms[at]?.values[nth] ?? null)),
        ' OR ',
      )})`
    case 'null':
      return nullness(name, term)
    default:
      return ranging(column.order ?? column, plus, term.operator, at, dialect)
  }
}

function ranging(column: Column, plus: string, operator: keyof typeof signs, at: number, dialect: Dialect): Sql {
  return sql`${plus}${column.sql} ${signs[operator]} ${bound(column, dialect, (asked) => asked.terms[at]?.values[0] ?? null)}`
}

/** A term that stands in the text with its value: an index on a boolean's truth is not found for a value. */
export const isConstant = ({ field, operator, values }: Term): boolean =>
  operator === 'null' || (operator === 'eq' && field.kind.name === 'boolean' && values.length === 1)

const signs: Readonly<Record<Extract<Operator, 'gt' | 'gte' | 'lt' | 'lte'>, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

/** A value, in PostgreSQL with its type: a bound wider than the column must not be an error. */
export const bound = (column: Column, dialect: Dialect, slot: Slot): Sql => ({
  text: column.bound ?? (dialect === 'sqlite' ? '?' : `?::${column.type}`),
  slots: [column.ranks === undefined ? slot : rankOf(column.ranks, slot)],
})

const rankOf =
  (ranks: ReadonlyMap<unknown, number>, slot: Slot): Slot =>
  (asked) =>
    ranks.get(slot(asked)) ?? null

const oneOf = (values: readonly Sql[]): Sql =>
  values.length === 1 ? sql`= ${values[0] ?? raw('NULL')}` : sql`IN (${join(values, ', ')})`

/** PostgreSQL's patterns know letters by collation: "C" knows those that RE2 knows. */
const matching = (column: Column, dialect: Dialect, slot: Slot): Sql =>
  dialect === 'sqlite'
    ? { text: `matches_regex(?, ${column.text})`, slots: [slot] }
    : { text: `(${column.text}) COLLATE "C" ~ ?::text`, slots: [slot] }

function nullness(name: string, { values }: Term): Sql {
  if (values.includes(true) && values.includes(false)) return raw('1 = 1')
  return raw(values.includes(true) ? `${name} IS NULL` : `${name} IS NOT NULL`)
}
