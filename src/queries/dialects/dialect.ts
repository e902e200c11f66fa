import type { Fault, Reason } from '../../values/faults/fault.ts'
import type { Collection } from '../collection.ts'
import type { Comparison } from '../expressions/comparison.ts'
import type { Condition, Filter } from '../query.ts'
import type { Parameter } from '../query-string.ts'

/**
 * A way to write filters in a query. To add one: one file, and one entry in `dialects.ts`. Documents and tests use the
 * results of `spell`.
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
  /** The parameters that hold a whole filter each; absent if each comparison is a separate parameter. */
  readonly holders?: readonly string[]
  /** A whole filter as one such parameter; undefined if the dialect cannot express it. */
  write?(collection: Collection, filter: Filter): string | undefined
}

/** The condition, or why there is none; with all its faults if the value is JSON. */
export type ReadCondition = Condition | { readonly fault: Reason; readonly faults?: readonly Fault[] }

/** The values of a comparison, encoded for an address. */
export const encoded = ({ texts }: Comparison): string => texts.map(encodeURIComponent).join(',')
