import { type Fields, type KindsOf, kindsOf, type ShownFields, shownFields, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'

/** A kind of thing that is managed. Documents have its fields without the secret ones. */
export interface ManagedThing<N extends string = string, F extends Fields = Fields> {
  readonly name: N
  readonly fields: F
  readonly kinds: KindsOf<ShownFields<F> & Fields>
  toJson(thing: ThingOf<ShownFields<F>>): string
}

export function defineManagedThing<const N extends string, const F extends Fields>(
  name: N,
  fields: F,
): ManagedThing<N, F> {
  const shown = shownFields(fields) as ShownFields<F> & Fields
  return { name, fields, kinds: kindsOf(shown), toJson: jsonWriter(shown) }
}
