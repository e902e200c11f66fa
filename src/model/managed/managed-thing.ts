import { type DocumentFields, documentFields, type Fields, type KindsOf, kindsOf, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'

/** A kind of thing that is managed. Documents have its fields without the secret ones. */
export interface ManagedThing<N extends string = string, F extends Fields = Fields> {
  readonly name: N
  readonly fields: F
  readonly kinds: KindsOf<DocumentFields<F> & Fields>
  toJson(thing: ThingOf<DocumentFields<F>>): string
}

export function defineManagedThing<const N extends string, const F extends Fields>(
  name: N,
  fields: F,
): ManagedThing<N, F> {
  const shown = documentFields(fields) as DocumentFields<F> & Fields
  return { name, fields, kinds: kindsOf(shown), toJson: jsonWriter(shown) }
}
