import type { Collection, CollectionField } from '../../queries/collection.ts'
import { matchesNull, operators } from '../../queries/operators.ts'
import {
  type Filter,
  isTerm,
  type Query,
  type SortTerm,
  skippedBy,
  type Term,
  termsOf,
  type Value,
} from '../../queries/query.ts'
import { isOwn } from '../../values/json/own.ts'
import { indexesOf } from './indexes.ts'

/**
 * How rows are read: the sort without the fields that terms fix to one value, from a row on, and how an index helps.
 */
export interface Order {
  /** In the direction of the scan. */
  readonly sort: readonly SortTerm[]
  /** The cursor's values in those fields. */
  readonly cursor: readonly Value[] | undefined
  /** Whether the cursor's own row belongs to it. */
  readonly inclusive: boolean
  /** The indexes of those values in the query's cursor. */
  readonly places: readonly number[]
  /** An index has the whole order, so that a page costs no more than its rows. */
  readonly indexed: boolean
  /** An index has the order of the rows with a value in its first field, and no others. */
  readonly lacksNulls: boolean
  /** An index has at least the order's first field. */
  readonly startsIndexed: boolean
  /** The equality whose index, which ends with the key, is read. */
  readonly anchor: Term | undefined
  /** The equalities of a lane, whose index continues with the order. */
  readonly lane: readonly Term[]
}

export function orderOf(collection: Collection, query: Query): Order {
  const terms = termsOf(query.filter)
  const places = countingPlaces(collection, terms, query)
  const kept = query.sort.filter((_, place) => places.includes(place))
  // The rows before the cursor are read in the opposite order.
  const sort = query.before === undefined ? kept : kept.map(reversed)
  const cursor = query.before ?? query.after
  const byKey = sort.length === 1
  const lane = laneOf(collection, terms, sort[0])
  const startsIndexed = sort[0]?.field.indexed === true || lane.length > 0
  // An index is read forwards or backwards, including its key. decisions/0004
  const isOrdered =
    startsIndexed && sort.length <= 2 && sort.every(({ descending }) => descending === sort[0]?.descending)
  const lacksNulls = isOrdered && mayLackNulls(sort[0]?.field, terms)
  return {
    sort,
    places,
    inclusive: query.inclusive ?? false,
    cursor: cursor && places.map((place) => cursor[place] ?? null),
    startsIndexed,
    indexed: isOrdered && !lacksNulls,
    lacksNulls,
    lane,
    anchor: byKey ? anchorOf(collection, terms.filter(pins)) : undefined,
  }
}

/** Whether the filter leaves only rows with a value. */
export const excludesNull = (field: CollectionField, terms: readonly Term[]): boolean =>
  terms.some((term) => term.field === field && !matchesNull(term))

/** The index of an added field has no nulls: these are looked for among all rows. */
const mayLackNulls = (field: CollectionField | undefined, terms: readonly Term[]): boolean =>
  field !== undefined && isOwn(field.name) && !excludesNull(field, terms)

/**
 * The indexes of the sort's fields that distinguish rows: not those that a term fixes, to the cursor's own value if
 * there is one.
 */
export function countingPlaces(
  { key }: Collection,
  terms: readonly Term[],
  { sort, after, before }: Pick<Query, 'sort' | 'after' | 'before'>,
): readonly number[] {
  const cursor = before ?? after
  const isPinned = (field: CollectionField, place: number): boolean =>
    field.kind.within === undefined &&
    terms.some((term) => term.field === field && pins(term) && (cursor === undefined || pinned(term) === cursor[place]))
  return sort.flatMap(({ field }, place) => (field.name !== key && isPinned(field, place) ? [] : [place]))
}

/** The fixed values of the sort's fields except the key, by their indexes. */
export function pinnedPlaces(
  { key }: Collection,
  filter: Filter,
  sort: readonly SortTerm[],
): ReadonlyMap<number, Value> {
  const terms = termsOf(filter).filter(pins)
  return new Map(
    sort.flatMap(({ field }, place) => {
      const term = field.kind.within === undefined ? terms.find((each) => each.field === field) : undefined
      return term === undefined || field.name === key ? [] : [[place, pinned(term) ?? null] as const]
    }),
  )
}

const pinned = ({ operator, values }: Term): Value | undefined => (operator === 'null' ? null : values[0])

export const reversed = ({ field, descending, nullsFirst }: SortTerm): SortTerm => ({
  field,
  descending: !descending,
  ...(!nullsFirst && { nullsFirst: true }),
})

/** Leaves one value of the field. */
export const pins = ({ field, operator, values }: Term): boolean =>
  values.length === 1 && !field.kind.unordered && (operator === 'eq' || (operator === 'null' && values[0] === true))

/** An index of all things but the deleted ones helps least. */
const anchorOf = (collection: Collection, pinned: readonly Term[]): Term | undefined =>
  pinned.find((term) => isAnchored(collection, term)) ?? pinned.find((term) => isOfLiveThings(collection, term))

const isOfLiveThings = (collection: Collection, { field, values }: Term): boolean =>
  field.name === 'deleted' && values[0] === false && indexesOf(collection).flags.includes(field.name)

function isAnchored(collection: Collection, { field, operator, values }: Term): boolean {
  if (field.name === collection.key) return false
  const { scopes, uniques, flags } = indexesOf(collection)
  if (uniques.includes(field.name)) return operator !== 'null'
  return field.indexed || scopes.includes(field.name) || (flags.includes(field.name) && values[0] === true)
}

function laneOf(collection: Collection, terms: readonly Term[], first: SortTerm | undefined): readonly Term[] {
  for (const { within, by } of indexesOf(collection).lanes) {
    const pinned = terms.filter((term) => pins(term) && within.includes(term.field.name))
    if (by === first?.field.name && pinned.length === within.length) return pinned
  }
  return []
}

/** The number of rows that can be skipped at negligible cost. */
const FEW = 1000

/** Whether a page could cost much more than its rows: then it must not run on the main thread. */
export function mayScan(collection: Collection, query: Query): boolean {
  const filter = query.filter
  if (filter.some((each) => isTerm(each) && isOnKey(collection, each))) return false
  if (query.count || skippedBy(query) > FEW) return true
  const order = orderOf(collection, query)
  return !order.indexed || !filter.every((each) => isTerm(each) && isAnswered(order, each))
}

/** Leaves so few rows that nothing else matters. */
const isOnKey = ({ key, name }: Collection, { field, operator }: Term): boolean =>
  // Revisions identify an entry within its deal only; history is always scoped by a deal.
  field.name === key && operator === 'eq' && name !== 'history'

/** The term is a range of the index that is read. */
const isAnswered = ({ anchor, lane, sort }: Order, term: Term): boolean =>
  term === anchor || lane.includes(term) || (term.field === sort[0]?.field && isRange(term))

/** Leaves a contiguous range of an index. */
const isRange = ({ operator }: Term): boolean =>
  operators[operator].compares === 'order' || operators[operator].compares === 'presence'
