import type { JsonSchema, Kind } from '../../values/kinds/kind.ts'
import type { Role } from '../../values/role.ts'
import { type DocumentFields, documentFields, type Fields, type KindsOf, kindsOf, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'

type Described = { readonly [name: string]: JsonSchema }
type KindsByName = { readonly [name: string]: Kind<unknown> }

interface ManagedDeclaration<N extends string, P extends string, F extends Fields> {
  /** The singular, used in problems and XML. */
  readonly name: N
  /** The plural: the name of the collection and of its table. */
  readonly plural: P
  /** The address of their list. A part such as `:user` is the field with the key of their owner. */
  readonly path: string
  /** Identifies one within its list. */
  readonly key: keyof F & string
  /** In the order of JSON members and columns; documents have them without the secret ones. */
  readonly fields: F
  /** The last fields: they are stored outside the document, without a new revision, at most once a minute. */
  readonly beside?: readonly (keyof F & string)[]
  /** The fields that no filter, sort or group can name. */
  readonly unfiltered?: readonly (keyof F & string)[]
  /** The kinds of fields whose values depend on the schema, such as types of events. It gets a `Schema`. */
  readonly kindsIn?: (schema: never) => KindsByName
  readonly roles: { readonly reads: Role; readonly writes: Role }
  /** The field with the owner: only they and admins see the thing. */
  readonly privacy?: { readonly owner: keyof F & string; readonly keepsFromAdmins?: true }
  /** Set if only people see it: it is in no list, filter and document for programs. */
  readonly forPeople?: true
  /** Members that are shown once, in the answer to the operation that created them. */
  readonly once?: Described
  /** Members that depend on the caller, or follow from the fields. */
  readonly presented?: Described
  /** Its English title for people. */
  title(thing: NoInfer<ThingOf<F>>): ManagedTitle
}

/** A sentence of the language files, and its values. */
export interface ManagedTitle {
  readonly text: string
  readonly with: { readonly [name: string]: string }
}

/**
 * A declared kind of managed thing. It has no commands, no doors and no events: the audit, which admins read, records
 * its operations. decisions/0033
 */
export interface DeclaredManaged<N extends string = string, P extends string = string, F extends Fields = Fields>
  extends ManagedDeclaration<N, P, F> {
  /** The kinds of the document's fields. */
  readonly kinds: KindsOf<DocumentFields<F> & Fields>
  toJson(thing: ThingOf<DocumentFields<F>>): string
  /** The document as stored. */
  toDoc(thing: ThingOf<DocumentFields<F>>): string
}

export function defineManagedResource<const N extends string, const P extends string, const F extends Fields>(
  declaration: ManagedDeclaration<N, P, F>,
): DeclaredManaged<N, P, F> {
  const shown = documentFields(declaration.fields) as DocumentFields<F> & Fields
  const kept = Object.fromEntries(Object.entries(shown).filter(([field]) => !declaration.beside?.includes(field)))
  return { ...declaration, kinds: kindsOf(shown), toJson: jsonWriter(shown), toDoc: jsonWriter(kept) }
}
