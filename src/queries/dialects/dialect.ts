import { type Fault, fault, near, type Reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { type Collection, type CollectionField, filterable } from '../collection.ts'
import { type Occurrence, occurrences } from '../like-pattern.ts'
import type { Condition, Filter, Operator } from '../query.ts'
import type { Parameter } from '../query-string.ts'

/**
 * A way to write filters in a query. To add one: one file, and one entry in `dialects.ts`. Documents and tests use what
 * `spell` gives.
 */
export interface Dialect {
  readonly name: string
  /** A sentence for documents, beyond the spellings. */
  readonly note?: (collection: Collection) => string
  /** The condition that a parameter states; undefined if it is not of this dialect. */
  read(collection: Collection, parameter: Parameter): ReadCondition | undefined
  /** Whether the parameter's value is a list, in which commas separate the values. */
  isList?(parameter: Parameter): boolean
  /** Every spelling of a comparison as a parameter, the usual one first; none if the dialect cannot express it. */
  spell(collection: Collection, comparison: Comparison): readonly string[]
  /** The parameters that hold a whole filter each; absent where each comparison has a parameter of its own. */
  readonly holders?: readonly string[]
  /** A whole filter as one such parameter; nothing where the dialect cannot say it. */
  write?(collection: Collection, filter: Filter): string | undefined
}

/** The condition, or why there is none; with all its faults where the value is JSON. */
export type ReadCondition = Condition | { readonly fault: Reason; readonly faults?: readonly Fault[] }

/** A comparison, independent of its spelling. */
export interface Comparison {
  readonly field: CollectionField
  readonly operator: ComparisonName
  /** Only `in` has several. */
  readonly texts: readonly string[]
}

export type ComparisonName = Exclude<Operator, 'like'> | Occurrence | 'in'

export const comparisonNames: readonly ComparisonName[] = [
  ...(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'] as const),
  ...occurrences,
  ...(['regex', 'null'] as const),
]

/** The values of a comparison, encoded for an address. */
export const encoded = ({ texts }: Comparison): string => texts.map(encodeURIComponent).join(',')

/** The field of that name, if a query may filter by it. */
export function filterField(collection: Collection, name: string): CollectionField | undefined {
  const field = collection.fields.get(name)
  return field?.filterable ? field : undefined
}

export function noSuchField(collection: Collection, name: string): { readonly fault: Reason } {
  const known = filterable(collection).map((field) => field.name)
  return fault('no-field-of', { of: collection.name, ...near(nearest(name, known)) })
}
