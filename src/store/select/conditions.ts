import type { Collection, CollectionField } from '../../queries/collection.ts'
import { type Compared, complementTerm, isYesOrNo, matchesNull, operators } from '../../queries/operators.ts'
import { isTerm, looksAtText, type Term, type Tree } from '../../queries/query.ts'
import { type ComparedBy, LED_VALUE, type SomeEvents, type SqlColumn, type SqlDialect } from '../sql/dialect.ts'
import { join, raw, type Slot, type Sql, sql } from '../sql/sql.ts'
import { columnOf, foldedOf } from './columns.ts'
import { leadsThrough, ofRelated, relatedRows } from './related-rows.ts'

/**
 * The condition of a term; `at` is its index among the query's terms. Only a sargable one may use an index: the planner
 * is kept from using one for others. If it leads to the rows, it may do so to some that matter.
 */
export function condition(
  collection: Collection,
  term: Term,
  at: number,
  dialect: SqlDialect,
  sargable: boolean,
  some?: SomeEvents,
  isLed = false,
): Sql {
  const { through } = term.field
  if (through !== undefined) {
    const leads = sargable && leadsThrough(collection, through)
    return relatedCondition(collection, [term], () => at, dialect, leads ? term.field : undefined)
  }
  const slots = slotsOf(term, at)
  const column = columnOf(collection, term.field, dialect)
  const led = sargable || isLed ? ledCondition(column, term, slots) : undefined
  if (led !== undefined && isLed) return led(`${sargable ? '' : dialect.unindexed}${LED_VALUE}`)
  if (led !== undefined && column.led !== undefined) return column.led.among(led, false)
  return written[operators[term.operator].compares]({
    ...{ collection, term, slots, dialect },
    column,
    hint: sargable ? '' : dialect.unindexed,
    some,
  })
}

/** The values of a term by its index among the query's. */
const slotsOf = ({ values }: Term, at: number): readonly Slot[] =>
  values.map(
    (_, nth): Slot =>
      ({ terms }) =>
        terms[at]?.values[nth] ?? null,
  )

/** The terms that the index of their added field answers, as one condition for each field, and the others. */
export function indexedConditions(
  collection: Collection,
  terms: readonly Term[],
  placeOf: (term: Term) => number,
  dialect: SqlDialect,
  driver: unknown,
): { readonly indexed: readonly Sql[]; readonly others: readonly Term[] } {
  const found = new Map<CollectionField, ((value: string) => Sql)[]>()
  const others = terms.filter((term) => {
    const { field } = term
    if (field.through !== undefined) return true
    const led = ledCondition(columnOf(collection, field, dialect), term, slotsOf(term, placeOf(term)))
    if (led === undefined) return true
    found.set(field, [...(found.get(field) ?? []), led])
    return false
  })
  // A range has two terms: apart, each would lead to half of the things.
  const indexed = [...found].flatMap(([field, all]) => {
    const { led } = columnOf(collection, field, dialect)
    const is = (value: string): Sql =>
      join(
        all.map((each) => each(value)),
        ' AND ',
      )
    return led === undefined ? [] : [led.among(is, field === driver)]
  })
  return { indexed, others }
}

/** Whether the index of an added field answers a term. */
export const isLedBy = (collection: Collection, term: Term, lead: CollectionField, dialect: SqlDialect): boolean =>
  term.field === lead && ledCondition(columnOf(collection, lead, dialect), term, []) !== undefined

/** The condition on the index of an added field; undefined if that does not answer the term. */
function ledCondition(
  { led, order, has }: SqlColumn,
  { operator, values }: Term,
  slots: readonly Slot[],
): ((value: string) => Sql) | undefined {
  if (led === undefined || has !== undefined) return undefined
  const { compares, negated, bound } = operators[operator]
  const given = slots.map((slot) => led.parameter(slot))
  if (compares === 'value' && !negated) return (value) => sql`${value} ${equalsOneOf(given)}`
  if (compares === 'order' && order === undefined)
    return (value) => anyOf(given.map((each) => sql`${value} ${bound?.sign ?? '='} ${each}`))
  return compares === 'presence' && !values.includes(true) ? (value) => raw(`${value} IS NOT NULL`) : undefined
}

/** A term on a column, and the source of its values. */
interface ColumnTerm {
  readonly collection: Collection
  readonly term: Term
  readonly column: SqlColumn
  /** Precedes the column if the planner must not use an index. */
  readonly hint: string
  readonly slots: readonly Slot[]
  readonly dialect: SqlDialect
  /** Some of the rows, if these are all that matter. */
  readonly some: SomeEvents | undefined
}

/** The compared SQL expression of each kind of operator. */
const written: Readonly<Record<Compared, (asked: ColumnTerm) => Sql>> = {
  value: (asked) => (operators[asked.term.operator].negated ? inequality(asked) : equality(asked)),
  order({ term, column, hint, slots, dialect }) {
    const ordered = column.range ?? column.order ?? column
    const sign = operators[term.operator].bound?.sign ?? '='
    return anyOf(slots.map((slot) => sql`${hint}${ordered.sql} ${sign} ${parameter(ordered, dialect, slot, sign)}`))
  },
  text: ({ column, slots, dialect }) =>
    anyOf(slots.map((slot) => ({ text: dialect.matches(column.text), slots: [slot] }))),
  'folded text'({ collection, term, slots, dialect }) {
    const folded = foldedOf(collection, term.field, dialect)
    const text = `${folded} LIKE ${dialect.parameter('text')} ESCAPE '\\'`
    return anyOf(slots.map((slot) => ({ text, slots: [slot] })))
  },
  presence: ({ term, column, hint }) => nullness(`${hint}${column.sql}`, term),
  user: namingNobody,
}

function equality({ term, column, hint, slots, dialect, some }: ColumnTerm): Sql {
  const { is, equal, has } = column
  if (has !== undefined) return anyOf(slots.map((slot) => hasValue(has, dialect, slot)))
  if (is && isConstant(term)) return raw(`${hint}${term.values[0] ? is.true : is.false}`)
  const values = slots.map((slot) => parameter({ ...column, ...equal }, dialect, slot))
  if (equal === undefined) return sql`${hint}${column.sql} ${equalsOneOf(values)}`
  // Where another condition leads to the rows, each is compared.
  if (equal.leading === undefined || hint !== '') return sql`(${equal.of} AND ${equal.sql} ${equalsOneOf(values)})`
  return sql`(${equal.of} AND ${equal.leading((key) => sql`${key} ${equalsOneOf(values)}`, some)})`
}

/** True for a text that no user has as a name, whatever its case. */
function namingNobody({ term: { values }, column, dialect }: ColumnTerm): Sql {
  if (values.includes(true) && values.includes(false)) return raw('1 = 1')
  const among = `${dialect.caseless(column.sql)} IN (SELECT ${dialect.caseless('users.name')} FROM users)`
  return raw(`(${column.sql} ${values.includes(true) ? `IS NOT NULL AND NOT ${among}` : `IS NULL OR ${among}`})`)
}

const hasValue = (has: NonNullable<SqlColumn['has']>, dialect: SqlDialect, slot: Slot): Sql => ({
  text: has(dialect.parameter('text')),
  slots: [slot],
})

function inequality({ term, column, hint, slots, dialect }: ColumnTerm): Sql {
  const { has } = column
  if (has !== undefined) {
    const any = anyOf(slots.map((slot) => hasValue(has, dialect, slot)))
    return sql`(${column.sql} IS NULL OR NOT (${any}))`
  }
  const equal = equalsOneOf(slots.map((slot) => parameter(column, dialect, slot)))
  return term.field.kind.nullable
    ? sql`(${column.sql} IS NULL OR NOT ${column.sql} ${equal})`
    : sql`NOT ${hint}${column.sql} ${equal}`
}

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 1 && conditions[0] ? conditions[0] : sql`(${join(conditions, ' OR ')})`

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
  // A term that matches null and everything else matches every row.
  if (matchesNull(first) && complementTerm(first) === undefined) return raw('1 = 1')
  const rows = relatedRows(collection, through, dialect)
  const conditions = terms.map((term) => {
    const own = term.field.through ?? through
    return condition(rows.collection, ofRelated(term, own), placeOf(term), dialect, term.field === leading)
  })
  const leads = leading !== undefined && !matchesNull(first)
  const end = looksAtText(terms) ? dialect.lookedUp : ''
  const refers = sql`${dialect.refers(rows, leads)} AND ${join(conditions, ' AND ')}${end})`
  return matchesNull(first) ? sql`NOT ${refers}` : refers
}

/** The condition of a tree; its terms have their indexes among all of the query's. */
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

/** A term whose value is part of the text: an index on a boolean is not used for a parameter. */
export const isConstant = ({ field, operator, values }: Term): boolean =>
  isYesOrNo(operators[operator].compares) || (operator === 'eq' && field.kind.name === 'boolean' && values.length === 1)

/** A value to compare a column with. */
export function parameter(column: SqlColumn, dialect: SqlDialect, slot: Slot, sign: ComparedBy = '='): Sql {
  const plain = column.parameter ?? dialect.parameter(column.type)
  return {
    text: column.compared?.(sign, plain) ?? plain,
    slots: [column.ranks === undefined ? slot : rankOf(column.ranks, slot)],
  }
}

const rankOf =
  (ranks: ReadonlyMap<unknown, number>, slot: Slot): Slot =>
  (given) => {
    const value = slot(given) ?? null
    return value === null ? null : (ranks.get(value) ?? ranks.size)
  }

const equalsOneOf = (values: readonly Sql[]): Sql =>
  values.length === 1 ? sql`= ${values[0] ?? raw('NULL')}` : sql`IN (${join(values, ', ')})`

function nullness(name: string, { values }: Term): Sql {
  if (values.includes(true) && values.includes(false)) return raw('1 = 1')
  return raw(values.includes(true) ? `${name} IS NULL` : `${name} IS NOT NULL`)
}
