import type { CollectionField } from './collection.ts'

/** A value as the domain and the stores hold it: amounts in thousandths, dates and instants as text. */
export type Value = string | number | boolean | null

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'regex' | 'null'

/**
 * One comparison on one field. Several values mean any of them; for `ne`, none of them.
 * A range and a regex never match null; `ne` does. `null` takes true or false.
 */
export interface Term {
  readonly field: CollectionField
  readonly operator: Operator
  readonly values: readonly Value[]
}

/** All conditions hold. */
export type Filter = readonly Condition[]

export type Condition = Term | Tree

/** At least one of the filters holds; where it is negated, none of them does, nulls included. */
export interface Tree {
  readonly any: readonly Filter[]
  readonly negated: boolean
}

export const isTerm = (condition: Condition): condition is Term => 'operator' in condition

/** The terms that hold by themselves: what indexes and orders are chosen by. */
export const termsOf = (filter: Filter): readonly Term[] => (filter.every(isTerm) ? filter : filter.filter(isTerm))

export const treesOf = (filter: Filter): readonly Tree[] => filter.filter((each): each is Tree => !isTerm(each))

/** Every term, at any depth. */
export const leavesOf = (filter: Filter): readonly Term[] =>
  filter.every(isTerm) ? filter : filter.flatMap((each) => (isTerm(each) ? [each] : each.any.flatMap(leavesOf)))

/** Whether a filter looks at text, which may cost any amount of time at any row. */
export const looksAtText = (filter: Filter): boolean =>
  filter.some((each) => (isTerm(each) ? each.operator === 'regex' : each.any.some(looksAtText)))

export interface SortTerm {
  readonly field: CollectionField
  readonly descending: boolean
}

/** What is asked of a collection, whichever dialect it was written in. */
export interface Query {
  readonly filter: Filter
  /** Nulls come last in either direction. Ends with the collection's key, in the direction of the field before it. */
  readonly sort: readonly SortTerm[]
  readonly size: number
  /** From 1; nothing on a page that continues from a row. */
  readonly page?: number
  /** Continue behind the row that has these values in the sort's fields. */
  readonly after?: readonly Value[]
  /** Or end in front of it. */
  readonly before?: readonly Value[]
  /** Which of these values are not known yet, but stand in the row that the last of them identifies. */
  readonly omitted?: readonly number[]
  /** Whether the number of all matching items is wanted. */
  readonly count: boolean
  /** The fields to show; nothing for all. */
  readonly fields?: readonly string[]
  /** Whether an empty result is a refusal. */
  readonly refuseEmpty: boolean
}
