import type { CollectionField } from './collection.ts'
import type { ShownMembers } from './members/expansion.ts'
import type { Groups } from './members/groups.ts'
import { comparesText, type Operator, type Value } from './operators.ts'

export type { Operator, Value }

/**
 * One comparison on one field. Several values mean any of them; for `ne`, none of them.
 * A range, a regex and a pattern never match null; `ne` does. `null` takes true or false. `like` compares a folded
 * pattern, with `%` for any text and `_` for one character, with the folded text.
 */
export interface Term {
  readonly field: CollectionField
  readonly operator: Operator
  readonly values: readonly Value[]
}

/** All conditions hold. */
export type Filter = readonly Condition[]

export type Condition = Term | Tree

/** At least one of the filters holds; if negated, none of them, nulls included. */
export interface Tree {
  readonly any: readonly Filter[]
  readonly negated: boolean
  /** The folded word that every alternative searches, if the tree is one word of a search. */
  readonly word?: string
}

export const isTerm = (condition: Condition): condition is Term => 'operator' in condition

/** The terms outside trees, by which indexes and orders are chosen. */
export const termsOf = (filter: Filter): readonly Term[] => (filter.every(isTerm) ? filter : filter.filter(isTerm))

export const treesOf = (filter: Filter): readonly Tree[] => filter.filter((each): each is Tree => !isTerm(each))

/** Every term, at any depth. */
export const leavesOf = (filter: Filter): readonly Term[] =>
  filter.every(isTerm) ? filter : filter.flatMap((each) => (isTerm(each) ? [each] : each.any.flatMap(leavesOf)))

/** The number of comparisons that a client made: each word of a search is one. */
export const comparisonsIn = (filter: Filter): number =>
  filter.reduce((sum, each) => sum + (isTerm(each) || each.word !== undefined ? 1 : alternativesIn(each)), 0)

/** An alternative without comparisons counts too, since it is part of the statement. */
const alternativesIn = ({ any }: Tree): number =>
  any.reduce((sum, filter) => sum + Math.max(1, comparisonsIn(filter)), any.length === 0 ? 1 : 0)

/** Whether a filter searches text, whose cost per row is not bounded. */
export const looksAtText = (filter: Filter): boolean =>
  filter.some((each) => (isTerm(each) ? comparesText(each.operator) : each.any.some(looksAtText)))

export interface SortTerm {
  readonly field: CollectionField
  readonly descending: boolean
  /** Nulls come last in either direction, unless this is set. */
  readonly nullsFirst?: true
}

/** A query of a collection, independent of its dialect. */
export interface Query extends ShownMembers {
  readonly filter: Filter
  /** Ends with the collection's key, in the direction of the field before it. */
  readonly sort: readonly SortTerm[]
  readonly size: number
  /** From 1; absent if the page continues from a row. */
  readonly page?: number
  /** The number of items before the page, in place of its number. */
  readonly skip?: number
  /** Continue after the row with these values in the sort's fields. */
  readonly after?: readonly Value[]
  /** Whether that row is read too: if it still exists, there is a page before this one. */
  readonly inclusive?: true
  /** Or end before the row with these values. */
  readonly before?: readonly Value[]
  /** The indexes of values to read from the row, which the last value identifies. */
  readonly omitted?: readonly number[]
  /** Whether to count all matching items. */
  readonly count: boolean
  /** Asks for groups of items; the sort is then one of groups. */
  readonly groups?: Groups
  /** Whether an empty result is a refusal. */
  readonly refuseEmpty: boolean
  /** The parameter that names the caller. */
  readonly namesCaller?: string
}

/** The query among the items that a scope leaves. */
export const withScope = (scope: Filter, query: Query): Query =>
  scope.length === 0 ? query : { ...query, filter: [...scope, ...query.filter] }

/** The same query without a position: the list from its start. */
export function withoutPlace(query: Query): Query {
  const {
    page: _page,
    skip: _skip,
    after: _after,
    inclusive: _inclusive,
    before: _before,
    omitted: _omitted,
    ...rest
  } = query
  return rest
}

/** The number of items before the page. */
export const skippedBy = ({ page = 1, size, skip }: Pick<Query, 'page' | 'size' | 'skip'>): number =>
  skip ?? (page - 1) * size
