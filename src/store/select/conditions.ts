import type { Collection, CollectionField } from '../../queries/collection.ts'
import { isTerm, looksAtText, type Operator, type Term, type Tree } from '../../queries/query.ts'
import type { SqlColumn, SqlDialect } from '../sql/dialect.ts'
import { join, raw, type Slot, type Sql, sql } from '../sql/sql.ts'
import { columnOf, foldedOf } from './columns.ts'
import { leadsThrough, matchesNone, ofRelated, relatedRows } from './related-rows.ts'

/**
 * The condition that a term stands for; `at` is its place among the query's terms.
 * An index is used for a sargable one only: the planner is kept from others.
 */
export function condition(collection: Collection, term: Term, at: number, dialect: SqlDialect, sargable: boolean): Sql {
  const { through } = term.field
  if (through !== undefined) {
    const leads = sargable && leadsThrough(collection, through)
    return relatedCondition(collection, [term], () => at, dialect, leads ? term.field : undefined)
  }
  const column = columnOf(collection, term.field, dialect)
  const hint = sargable ? '' : dialect.unindexed
  const name = `${hint}${column.sql}`
  const slots = term.values.map(
    (_, nth): Slot =>
      ({ terms }) =>
        terms[at]?.values[nth] ?? null,
  )
  const values = slots.map((slot) => parameter(column, dialect, slot))
  switch (term.operator) {
    case 'eq':
      if (column.is && isConstant(term)) return raw(`${hint}${term.values[0] ? column.is.true : column.is.false}`)
      if (column.equal === undefined) return sql`${name} ${equalsOneOf(values)}`
      return sql`(${column.equal.of} AND ${column.equal.sql} ${equalsOneOf(slots.map((slot) => parameter({ ...column, ...column.equal }, dialect, slot)))})`
    case 'ne':
      return term.field.kind.nullable
        ? sql`(${column.sql} IS NULL OR NOT ${column.sql} ${equalsOneOf(values)})`
        : sql`NOT ${name} ${equalsOneOf(values)}`
    case 'regex':
      return sql`(${join(
        slots.map((slot) => ({ text: dialect.matches(column.text), slots: [slot] })),
        ' OR ',
      )})`
    case 'like': {
      const folded = foldedOf(collection, term.field, dialect)
      return sql`(${join(
        slots.map((slot) => ({ text: `${folded} LIKE ${dialect.parameter('text')} ESCAPE '\\'`, slots: [slot] })),
        ' OR ',
      )})`
    }
    case 'null':
      return nullness(name, term)
    default:
      return range(column.order ?? column, hint, term.operator, dialect, slots[0] ?? noValue)
  }
}

/**
 * The condition of terms that one related row must match. With a leading field, rows are found by the keys that its
 * index yields; otherwise the related row is looked up by its key.
 */
export function relatedCondition(
  collection: Collection,
  terms: readonly Term[],
  placeOf: (term: Term) => number,
  dialect: SqlDialect,
  leading: CollectionField | undefined,
): Sql {
  const [first] = terms
  const through = first?.field.through
  if (first === undefined || through === undefined) throw new Error('there is no term on a related row')
  if (first.operator === 'null' && new Set(first.values).size > 1) return raw('1 = 1')
  const rows = relatedRows(collection, through, dialect)
  const conditions = terms.map((term) => {
    const own = term.field.through ?? through
    return condition(rows.collection, ofRelated(term, own), placeOf(term), dialect, term.field === leading)
  })
  const leads = leading !== undefined && !matchesNone(first)
  const end = looksAtText(terms) ? dialect.lookedUp : ''
  const refers = sql`${dialect.refers(rows, leads)} AND ${join(conditions, ' AND ')}${end})`
  return matchesNone(first) ? sql`NOT ${refers}` : refers
}

/** The condition that a tree stands for; its terms have their places among all of the query's. */
export function treeCondition(
  collection: Collection,
  tree: Tree,
  leaves: readonly Term[],
  dialect: SqlDialect,
  sargable: boolean,
): Sql {
  const alternatives = tree.any.map((filter) => {
    const conditions = filter.map((each) =>
      isTerm(each)
        ? condition(collection, each, leaves.indexOf(each), dialect, sargable)
        : treeCondition(collection, each, leaves, dialect, sargable),
    )
    return conditions.length === 0 ? raw('1 = 1') : sql`(${join(conditions, ' AND ')})`
  })
  const any = alternatives.length === 0 ? raw('1 = 0') : join(alternatives, ' OR ')
  // A comparison with null is neither true nor false; its complement is true.
  return tree.negated ? sql`((${any}) IS NOT TRUE)` : sql`(${any})`
}

function range(column: SqlColumn, hint: string, operator: keyof typeof signs, dialect: SqlDialect, slot: Slot): Sql {
  return sql`${hint}${column.sql} ${signs[operator]} ${parameter(column, dialect, slot)}`
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

const noValue: Slot = () => null

/** A value to compare a column with. */
export const parameter = (column: SqlColumn, dialect: SqlDialect, slot: Slot): Sql => ({
  text: column.parameter ?? dialect.parameter(column.type),
  slots: [column.ranks === undefined ? slot : rankOf(column.ranks, slot)],
})

const rankOf =
  (ranks: ReadonlyMap<unknown, number>, slot: Slot): Slot =>
  (given) =>
    ranks.get(slot(given)) ?? null

const equalsOneOf = (values: readonly Sql[]): Sql =>
  values.length === 1 ? sql`= ${values[0] ?? raw('NULL')}` : sql`IN (${join(values, ', ')})`

function nullness(name: string, { values }: Term): Sql {
  if (values.includes(true) && values.includes(false)) return raw('1 = 1')
  return raw(values.includes(true) ? `${name} IS NULL` : `${name} IS NOT NULL`)
}
