import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Collection, CollectionField } from '../../queries/collection.ts'
import { narrows, operators } from '../../queries/operators.ts'
import {
  type Condition,
  type Filter,
  isTerm,
  leavesOf,
  looksAtText,
  type Query,
  skippedBy,
  type Term,
  type Tree,
  termsOf,
  treesOf,
  withoutPlace,
} from '../../queries/query.ts'
import { isOwn } from '../../values/json/own.ts'
import { memoize } from '../../values/memoize.ts'
import type { SqlDialect, SqlValue } from '../sql/dialect.ts'
import type { QueryValues, Slot, Sql } from '../sql/sql.ts'
import { isConstant } from './conditions.ts'
import { indexesOf } from './indexes.ts'
import { countingPlaces, orderOf, pins } from './order.ts'
import { leadsThrough } from './related-rows.ts'
import { indexedSegments } from './segments.ts'
import { boundedSql, remainderSql } from './texts/bounded-text.ts'
import { pageSql } from './texts/page-text.ts'
import { probeSql, rowsLeftSql } from './texts/probe-text.ts'
import { countSql, type Driver, type SelectShape, type Strategy } from './texts/select-text.ts'

/** A statement: the same text, as the same object, for every query of one shape. */
export interface Select {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** A page and one row more; each row is the item's JSON text and then its values in the sort's fields. */
export function select(
  collection: Collection,
  query: Query,
  dialect: SqlDialect,
  strategy: Strategy = 'sorted',
): Select {
  return prepare(strategyName(strategy), collection, query, dialect, (shape) => pageSql({ ...shape, strategy }))
}

/** A page among the first rows after the cursor only. */
export interface BoundedSelect {
  readonly page: Select
  /** Returns a row if those are not all. */
  readonly remainder: () => Select
}

/** Undefined if no index has the sort, or not its beginning. */
export function boundedSelect(collection: Collection, query: Query, dialect: SqlDialect): BoundedSelect | undefined {
  const order = orderOf(collection, query)
  if (skippedBy(query) > 0 || !(order.indexed || order.lacksNulls)) return undefined
  if (indexedSegments(order, termsOf(query.filter)).length === 0) return undefined
  return {
    page: prepare('bounded', collection, query, dialect, boundedSql),
    remainder: () => prepare('remainder', collection, query, dialect, remainderSql),
  }
}

/** The number of matching items. */
export function countSelect(
  collection: Collection,
  query: Query,
  dialect: SqlDialect,
  strategy: Strategy = 'sorted',
): Select {
  const unsorted = { ...withoutPlace(query), sort: [] }
  const write = (shape: SelectShape) => countSql({ ...shape, strategy })
  return prepare(`count ${strategyName(strategy)}`, collection, unsorted, dialect, write)
}

/** About the rows that a part of the filter leaves, up to the limit. */
type DriverSelect = (collection: Collection, query: Query, dialect: SqlDialect, driver: Driver, limit: number) => Select

const driverSelect =
  (kind: string, write: typeof probeSql): DriverSelect =>
  (collection, query, dialect, driver, limit) => {
    const unsorted = { ...withoutPlace(query), sort: [] }
    const name = `${kind} ${driverName(driver)} ${limit}`
    return prepare(name, collection, unsorted, dialect, (shape) => write(shape, driver, limit))
  }

/** Their number. */
export const probeSelect: DriverSelect = driverSelect('probe', probeSql)

/** Their ids; some may be null. */
export const drivenSelect: DriverSelect = driverSelect('driven', rowsLeftSql)

/** The fields that the filter narrows and that have an index: any of them could drive the select. */
export function drivingFields(collection: Collection, query: Query): readonly CollectionField[] {
  const narrowed = termsOf(query.filter)
    .filter(({ operator }) => narrows(operator))
    .map(({ field }) => field)
  return [...new Set(narrowed)].filter((field) => field.name !== collection.key && hasIndex(collection, field))
}

/**
 * The added fields among them whose index does not have the order: whether it leads to few rows is asked first, because
 * to read such a value in each row costs more than to ask the index.
 */
export function ownDrivers(collection: Collection, query: Query): readonly CollectionField[] {
  const { sort, anchor } = orderOf(collection, query)
  return drivingFields(collection, query).filter(
    (field) => isOwn(field.name) && field !== sort[0]?.field && field !== anchor?.field,
  )
}

/** The trees each of whose alternatives an index leads to. */
export function drivingTrees(collection: Collection, query: Query): readonly Tree[] {
  const leads = (each: Condition): boolean =>
    isTerm(each)
      ? (narrows(each.operator) || pinsByIndex(collection, each)) && hasIndex(collection, each.field)
      : !each.negated && each.any.every((filter) => filter.some(leads))
  return treesOf(query.filter).filter(leads)
}

/** The index of a unique field has no nulls. */
const pinsByIndex = (collection: Collection, term: Term): boolean =>
  pins(term) &&
  term.field.through === undefined &&
  !(term.operator === 'null' && indexesOf(collection).uniques.includes(term.field.name))

const hasIndex = (collection: Collection, { name, indexed, through }: CollectionField): boolean =>
  through === undefined ? indexed || isListed(indexesOf(collection), name) : leadsThrough(collection, through)

const isListed = ({ scopes, uniques, ranges }: ReturnType<typeof indexesOf>, name: string): boolean =>
  [scopes, uniques, ranges].some((names) => names.includes(name))

const strategyName = (strategy: Strategy): string =>
  typeof strategy === 'object' ? `driving ${driverName(strategy.driving)}` : strategy

const driverName = (driver: Driver): string => ('any' in driver ? shapeOf(driver) : driver.name)

/** The values that differ between two steps of one search. */
export type StepValues = Pick<QueryValues, 'step' | 'from' | 'between' | 'rowIds'>

interface Plan {
  readonly text: string
  readonly slots: readonly Slot[]
}

const MOST_PLANS = 1000
const plansIn = bySchema((_schema: Schema) =>
  memoize((_shape: string, make: () => Plan) => make(), MOST_PLANS, Number.POSITIVE_INFINITY),
)

/** A select of a kind, written for the first query of its shape. */
export function prepare(
  kind: string,
  collection: Collection,
  query: Query,
  dialect: SqlDialect,
  write: (shape: SelectShape) => Sql,
  more: Partial<StepValues> = {},
): Select {
  const { filter } = query
  const leaves = leavesOf(filter)
  const skip = Math.min(skippedBy(query), Number.MAX_SAFE_INTEGER - 2 * query.size)
  const name = shapeName(kind, collection, filter, query, dialect, skip > 0)
  const plan = plansIn(collection.schema)(name, () => {
    const made = write({
      collection,
      terms: termsOf(filter),
      trees: treesOf(filter),
      leaves,
      order: orderOf(collection, query),
      selected: query.sort,
      skips: skip > 0,
      dialect,
      strategy: 'sorted',
    })
    return { text: dialect.marked(made.text), slots: made.slots }
  })
  const given: QueryValues = {
    terms: looksAtText(filter) ? leaves.map((term) => translated(term, dialect)) : leaves,
    cursor: query.before ?? query.after ?? [],
    skip,
    size: query.inclusive ? query.size + 1 : query.size,
    step: more.step ?? 0,
    from: more.from ?? 0,
    between: more.between ?? ['', ''],
    rowIds: more.rowIds ?? '[]',
  }
  return { text: plan.text, values: plan.slots.map((slot) => dialect.toParameter(slot(given))) }
}

function shapeName(
  kind: string,
  collection: Collection,
  filter: Filter,
  query: Query,
  dialect: SqlDialect,
  skips: boolean,
): string {
  const { name } = collection
  const { sort, after, before, inclusive } = query
  let shape = `${dialect.name} ${kind} ${name}${skips ? ' skip' : ''}`
  for (const condition of filter) shape += ` ${shapeOf(condition)}`
  for (const { field, descending, nullsFirst } of sort) {
    shape += `${nullsFirst ? ' 0' : ' '}${descending ? '-' : '+'}${field.name}`
  }
  const from = before ?? after
  if (from === undefined) return shape
  const places = countingPlaces(collection, termsOf(filter), query).map((at) => `${at}${from[at] === null ? '0' : ''}`)
  return `${shape} ${before !== undefined ? 'before' : inclusive ? 'from' : 'after'} ${places}`
}

/** Everything in a condition except the values that differ between two queries of one shape. */
function shapeOf(condition: Condition): string {
  if (isTerm(condition)) {
    const { field, operator, values } = condition
    return `${field.name}.${operator}${isConstant(condition) ? values : values.length}`
  }
  return `${condition.negated ? '!' : ''}(${condition.any.map((filter) => `[${filter.map(shapeOf).join(' ')}]`).join('')})`
}

const translated = (term: Term, dialect: SqlDialect): QueryValues['terms'][number] =>
  operators[term.operator].compares === 'text'
    ? { values: term.values.map((pattern) => dialect.pattern(String(pattern))) }
    : term
