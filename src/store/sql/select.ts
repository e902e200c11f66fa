import type { Collection, Field } from '../../queries/collection.ts'
import type { Filter, Query, Term, Value } from '../../queries/query.ts'
import { translated } from '../postgres/regex.ts'
import { tableOf } from './columns.ts'
import { isConstant } from './conditions.ts'
import { orderOf } from './order.ts'
import { foundSql, stepEndSql, stepSql } from './search-text.ts'
import { beyondSql, boundedSql, countSql, pageSql, probeSql, type Shape, type Way } from './select-text.ts'
import { type Asked, type Dialect, type Slot, type Sql, textFor } from './sql.ts'

/** A statement: the same text, as the same object, for every query of one shape. */
export interface Select {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | boolean | null

/** A page and one row more; each row is the item's JSON text and then its values in the sort's fields. */
export function select(
  collection: Collection,
  scope: Filter,
  query: Query,
  dialect: Dialect,
  way: Way = 'sorted',
): Select {
  const name = typeof way === 'object' ? `led ${way.led.name}` : way
  return prepare(name, way, collection, scope, query, dialect, pageSql)
}

/** A page among the first rows behind the cursor only. */
export interface BoundedSelect {
  readonly page: Select
  /** Gives a row where those were not all. */
  readonly beyond: () => Select
}

/** Nothing where no index walks the sort. */
export function boundedSelect(
  collection: Collection,
  scope: Filter,
  query: Query,
  dialect: Dialect,
): BoundedSelect | undefined {
  if ((query.page ?? 1) > 1 || !orderOf(collection, [...scope, ...query.filter], query).indexed) return undefined
  return {
    page: prepare('bounded', 'bounded', collection, scope, query, dialect, boundedSql),
    beyond: () => prepare('beyond', 'beyond', collection, scope, query, dialect, beyondSql),
  }
}

/** A part of a search, in SQLite: the next rows of the order are looked at, and no others. */
export interface StepSelect {
  readonly found: Select
  /** The row that the next step begins behind. */
  readonly end: Select
}

export function stepSelect(
  collection: Collection,
  scope: Filter,
  query: Query,
  step: number,
  gives: 'rows' | 'places' | 'count',
): StepSelect {
  const make = (kind: string, write: (shape: Shape) => Sql) =>
    prepare(kind, 'step', collection, scope, query, 'sqlite', write, { step })
  return { found: make(`step ${gives}`, (shape) => stepSql(shape, gives)), end: make('step end', stepEndSql) }
}

/** The page that rows make which a search has found, or the places of no more of them than that page needs. */
export function foundSelect(
  collection: Collection,
  scope: Filter,
  query: Query,
  places: readonly number[],
  gives: 'rows' | 'places',
): Select {
  const write = (shape: Shape) => foundSql(shape, gives)
  return prepare(`found ${gives}`, 'found', collection, scope, query, 'sqlite', write, {
    places: JSON.stringify(places),
  })
}

/** How many items match. */
export function countSelect(collection: Collection, scope: Filter, query: Query, dialect: Dialect): Select {
  const { after: _, before: __, ...rest } = query
  return prepare('count', 'count', collection, scope, { ...rest, sort: [], page: 1 }, dialect, countSql)
}

/** How many rows the filter on one field leads to, counted no further than the limit. */
export function probeSelect(
  collection: Collection,
  scope: Filter,
  query: Query,
  dialect: Dialect,
  field: Field,
  limit: number,
): Select {
  const { after: _, before: __, ...rest } = query
  const asked = { ...rest, sort: [], page: 1 }
  const way = `probe ${field.name} ${limit}`
  return prepare(way, 'probe', collection, scope, asked, dialect, (shape) => probeSql(shape, field, limit))
}

/** The fields that the filter narrows and an index is kept on: any of them could lead. */
export function leadersOf(collection: Collection, scope: Filter, query: Query): readonly Field[] {
  const { scopes } = tableOf(collection, 'sqlite')
  const narrowed = [...scope, ...query.filter]
    .filter(({ operator }) => narrowing.has(operator))
    .map(({ field }) => field)
  return [...new Set(narrowed)].filter(
    ({ name, indexed }) => name !== collection.key && (indexed || scopes.includes(name)),
  )
}

const narrowing: ReadonlySet<Term['operator']> = new Set(['eq', 'gt', 'gte', 'lt', 'lte'])

interface Plan {
  readonly text: string
  readonly slots: readonly Slot[]
}

const MOST_PLANS = 1000
const plans = new Map<string, Plan>()

function prepare(
  kind: string,
  way: Shape['way'],
  collection: Collection,
  scope: Filter,
  query: Query,
  dialect: Dialect,
  write: (shape: Shape) => Sql,
  more: Partial<Pick<Asked, 'step' | 'places'>> = {},
): Select {
  const terms = scope.length === 0 ? query.filter : [...scope, ...query.filter]
  const skip = Math.min(((query.page ?? 1) - 1) * query.size, Number.MAX_SAFE_INTEGER - 2 * query.size)
  const name = shapeName(kind, collection, terms, query, dialect, skip > 0)
  let plan = plans.get(name)
  if (plan === undefined) {
    const order = orderOf(collection, terms, query)
    const made = write({ collection, terms, order, told: query.sort, skips: skip > 0, dialect, way })
    plan = { text: textFor(dialect, made), slots: made.slots }
    if (plans.size >= MOST_PLANS) plans.delete(plans.keys().next().value ?? '')
    plans.set(name, plan)
  }
  const asked: Asked = {
    terms: inDialect(terms, dialect),
    from: query.before ?? query.after ?? [],
    skip,
    size: query.size,
    step: more.step ?? 0,
    places: more.places ?? '[]',
  }
  const values = plan.slots.map((slot) => slot(asked))
  return { text: plan.text, values: dialect === 'sqlite' ? values.map(asNumber) : values }
}

function shapeName(
  kind: string,
  { name }: Collection,
  terms: readonly Term[],
  { sort, after, before }: Query,
  dialect: Dialect,
  skips: boolean,
): string {
  let shape = `${dialect} ${kind} ${name}${skips ? ' skip' : ''}`
  for (const term of terms) {
    shape += ` ${term.field.name}.${term.operator}${isConstant(term) ? term.values : term.values.length}`
  }
  for (const { field, descending } of sort) shape += descending ? ` -${field.name}` : ` +${field.name}`
  const from = before ?? after
  if (from === undefined) return shape
  return `${shape} ${before === undefined ? 'after' : 'before'} ${from.map((value) => (value === null ? 0 : 1))}`
}

/** SQLite has no booleans. */
const asNumber = (value: Value): SqlValue => (typeof value === 'boolean' ? Number(value) : value)

const inDialect = (terms: readonly Term[], dialect: Dialect): Asked['terms'] =>
  dialect === 'sqlite'
    ? terms
    : terms.map((term) => (term.operator === 'regex' ? { values: term.values.map(translated) } : term))
