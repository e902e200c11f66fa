import { type DocumentFields, documentFields, type Fields, type KindsOf, kindsOf, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'

/** A kind of thing that is managed. Documents have its fields without the secret ones. */
export interface ManagedThing<N extends string = string, F extends Fields = Fields> {
  readonly name: N
  readonly fields: F
  readonly kinds: KindsOf<DocumentFields<F> & Fields>
  toJson(thing: ThingOf<DocumentFields<F>>): string
  /** The document as it is kept. */
  toDoc(thing: ThingOf<DocumentFields<F>>): string
}

/** What is noted `beside` the document comes without a new revision, at most once a minute. */
export function defineManagedThing<const N extends string, const F extends Fields>(
  name: N,
  fields: F,
  beside: keyof F & string = '',
): ManagedThing<N, F> {
  const shown = documentFields(fields) as DocumentFields<F> & Fields
  const kept = Object.fromEntries(Object.entries(shown).filter(([field]) => field !== beside))
  return { name, fields, kinds: kindsOf(shown), toJson: jsonWriter(shown), toDoc: jsonWriter(kept) }
}
