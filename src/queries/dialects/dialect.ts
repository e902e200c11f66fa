import { fault } from '../../values/kinds/kind.ts'
import { didYouMean } from '../../values/nearest.ts'
import type { Collection, CollectionField } from '../collection.ts'
import type { Condition, Operator } from '../query.ts'
import type { Parameter } from '../query-string.ts'

/**
 * A way to write filters in a query. To add one: one file, and one entry in `dialects.ts`. Documents and tests are made
 * of what it spells.
 */
export interface Dialect {
  readonly name: string
  /** What documents say of it beyond its spellings. */
  readonly note?: (collection: Collection) => string
  /** What a parameter asks, or nothing when it is not of this dialect. */
  read(collection: Collection, parameter: Parameter): ReadCondition | undefined
  /** Whether the parameter's value is a list, in which commas separate the values. */
  isList?(parameter: Parameter): boolean
  /** Every way to write a comparison as a parameter, the usual one first; none where the dialect cannot say it. */
  spell(collection: Collection, comparison: Comparison): readonly string[]
}

export type ReadCondition = Condition | { readonly fault: string }

/** A comparison as a client means it. */
export interface Comparison {
  readonly field: CollectionField
  readonly operator: ComparisonName
  /** Several for `in` alone. */
  readonly texts: readonly string[]
}

export type ComparisonName = Operator | 'in'

export const comparisonNames: readonly ComparisonName[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'regex', 'null']

/** The values of a comparison as they stand in an address. */
export const encoded = ({ texts }: Comparison): string => texts.map(encodeURIComponent).join(',')

export const filterable = (collection: Collection): readonly CollectionField[] =>
  [...collection.fields.values()].filter((field) => field.filterable)

/** The field of that name, if a query may name it. */
export function filterField(collection: Collection, name: string): CollectionField | undefined {
  const field = collection.fields.get(name)
  return field?.filterable ? field : undefined
}

export function noSuchField(collection: Collection, name: string): { readonly fault: string } {
  const known = filterable(collection).map((field) => field.name)
  return fault(`names no field of ${collection.name}${didYouMean(name, known)}`)
}
