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
  ...(['regex', 'null', 'unknown'] as const),
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

/** The words that lead nowhere, with those before them that lead into something: `own.brnch` of `own.brnch.eq`. */
export function namedIn(collection: Collection, words: readonly string[]): string {
  const leads = (length: number): boolean => {
    const start = `${words.slice(0, length).join('.')}.`
    return filterable(collection).some(({ name }) => name.startsWith(start))
  }
  let length = 1
  while (length < words.length && leads(length)) length++
  return words.slice(0, length).join('.')
}

/** `spelled` writes the nearest name as the dialect does. */
export function noSuchField(
  collection: Collection,
  name: string,
  spelled = (known: string): string => known,
): { readonly fault: Reason } {
  const known = nearest(
    name,
    filterable(collection).map((field) => field.name),
  )
  return fault('no-field-of', { of: collection.name, ...near(known && spelled(known)) })
}
