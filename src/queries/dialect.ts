import type { Collection, Field } from './collection.ts'
import type { Parameter } from './parameters.ts'
import type { ReadTerm } from './term.ts'

/** A way to spell comparisons in a query. */
export interface Dialect {
  readonly name: string
  /** The comparison that a parameter spells, or nothing when it is not of this form. */
  read(collection: Collection, parameter: Parameter): ReadTerm | undefined
  /** The parameter names that the form knows of, for documents and for "did you mean". */
  names(collection: Collection): readonly string[]
}

export const filterable = (collection: Collection): readonly Field[] =>
  [...collection.fields.values()].filter((field) => field.filterable)

/** The field of that name, if a query may name it. */
export function filterField(collection: Collection, name: string): Field | undefined {
  const field = collection.fields.get(name)
  return field?.filterable ? field : undefined
}
