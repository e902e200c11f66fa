import { fault, near, type Reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { type Collection, type CollectionField, filterable } from '../collection.ts'
import { type Occurrence, occurrences } from '../like-pattern.ts'
import { type Operator, type OperatorMeaning, operators } from '../operators.ts'

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

/** The operator of that comparison, for each of its values. */
export const meaningOf = (name: ComparisonName | Operator): OperatorMeaning =>
  operators[name === 'in' ? 'eq' : isOccurrence(name) ? 'like' : name]

const isOccurrence = (name: ComparisonName | Operator): name is Occurrence => occurrences.some((each) => each === name)

/** The field of that name, if a query may filter by it. */
export function filterField(collection: Collection, name: string): CollectionField | undefined {
  const field = collection.fields.get(name)
  return field?.filterable ? field : undefined
}

export function noSuchField(collection: Collection, name: string): { readonly fault: Reason } {
  const known = filterable(collection).map((field) => field.name)
  return fault('no-field-of', { of: collection.name, ...near(nearest(name, known)) })
}
