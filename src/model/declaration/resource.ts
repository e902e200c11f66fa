import type { State } from '../../values/guard.ts'
import type { Json } from '../../values/json/json.ts'
import { OWN } from '../../values/json/own.ts'
import { isNumeric, type JsonSchema, type Kind, type Without } from '../../values/kinds/kind.ts'
import type { CalendarFields } from '../../values/listed-items.ts'
import type { Members } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import type { CountedParts } from '../source/counted-parts.ts'
import type { SchemaSource } from '../source/schema-source.ts'
import {
  type CreateMembers,
  createMembers,
  type DocumentFields,
  documentFields,
  type Field,
  type Fields,
  type KindsOf,
  kindsOf,
  type PatchMembers,
  patchMembers,
  type ThingOf,
} from './field.ts'
import type { FileWords } from './file-words.ts'
import { changesWriter, jsonWriter } from './json-writer.ts'

/**
 * The number of things, and the sum of one of their fields, for each combination of the values of others. Instants count
 * by their month, in UTC.
 */
export interface KeptTotal<Name extends string = string> {
  /** Fields, or those that a projection adds. */
  readonly by: readonly string[]
  readonly sum?: Name
}

/** The periods in which some fields of a thing did not change: rows of a table, written with its events. */
export interface Projection<Name extends string = string> {
  /** The name of its collection and table. */
  readonly name: string
  /** The name of one of its rows. */
  readonly item: string
  readonly title: string
  /** The fields whose values each row has; a row ends where one of them changes. */
  readonly of: readonly Name[]
  /** Further fields to filter things by: when the last row began, if a field has one of these values in it. */
  readonly since?: { readonly [field: string]: { readonly [N in Name]?: readonly (string | number | boolean)[] } }
}

/** Identifies a thing: a UUID or a serial number. */
export type Key = string | number

/** The fields of every thing. */
export type Thing = {
  readonly id: Key
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

/** The name of an added field, such as `own.budget`, with the field. */
export interface AddedName {
  readonly name: string
  readonly field: Field
}

/** The declarations that every resource has. */
interface NounDeclaration<N extends string, F extends Fields, P extends string> {
  /** The singular, used in events, commands, problems and XML. */
  readonly name: N
  /** The plural: the name of the collection and its table. */
  readonly plural: P
  /** The path of the collection. A part such as `:user` is the field with the key of their owner. */
  readonly path: string
  /** In the order of JSON members and columns, the key first. Documents have them without the secret ones. */
  readonly fields: F
  /** The fields among them whose kinds follow from the source of a schema. */
  fieldsIn?(source: SchemaSource): Fields
  readonly roles: { readonly reads: Role; readonly writes: Role }
  /**
   * Set if a thing belongs to its creator: others see it if it is shared, and cannot change it. One without an owner
   * that cannot be shared is the admins'.
   */
  readonly privacy?: { readonly owner: keyof F & string; readonly shared?: keyof F & string }
  /** Set if the schema is made of its things: a change of one is a change of the model. decisions/0059 */
  readonly shapes?: ModelPart
}

/**
 * A resource whose changes the audit tells instead of the events: it has no doors, commands, history and forms beyond
 * its addresses. decisions/0033
 */
interface AuditedDeclaration<N extends string, F extends Fields, P extends string> extends NounDeclaration<N, F, P> {
  readonly feed: 'audit'
  /** Identifies one within its list. */
  readonly key: keyof F & string
  /** The last fields: they are stored outside the document, without a new revision, at most once a minute. */
  readonly beside?: readonly (keyof F & string)[]
  /** The fields that no filter, sort or group can name. */
  readonly unfiltered?: readonly (keyof F & string)[]
  /** The kinds of fields whose values depend on the whole schema, such as types of events. It gets a `Schema`. */
  readonly kindsIn?: (schema: never) => { readonly [field: string]: Kind<unknown> }
  /** Members that are shown once, in the answer to the operation that drew them. */
  readonly once?: DescribedMembers
  /** Members that depend on the caller, or follow from the fields. */
  readonly presented?: DescribedMembers
  /** Its English title for people. */
  title(thing: NoInfer<ThingOf<F>>): Titled
  /** Its state, if it is not that of its fields `revision` and `updatedAt`; undefined if it has none. */
  state?(thing: NoInfer<ThingOf<F>>, known: unknown): State | undefined
}

interface DescribedMembers {
  readonly [name: string]: JsonSchema
}

/** A sentence of the language files, and its values. */
export interface Titled {
  readonly text: string
  readonly with: { readonly [name: string]: string }
}

interface ResourceDeclaration<N extends string, F extends Fields, P extends string> extends NounDeclaration<N, F, P> {
  /** A sort by one of these uses an index on every page. */
  readonly indexed: readonly (keyof F & string)[]
  /** A filter for equality with one of these uses an index in the order of the key. */
  readonly scopes?: readonly (keyof F & string)[]
  /** A sort by a field, if the filter leaves one value for each of those within, uses a separate index. */
  readonly lanes?: readonly Lane<keyof F & string>[]
  /** Counts and sums that are updated with each write, so that groups by these fields read no things. decisions/0044 */
  readonly totals?: readonly KeptTotal<keyof F & string>[]
  /** Rows that are stored of each thing's history, in separate tables. decisions/0050 */
  readonly projections?: readonly Projection<keyof F & string>[]
  /** Set if fields can be added at run time. decisions/0062 */
  readonly extensible?: true
  /** Set in a schema whose things may have values of added fields, even of such as it does not know. */
  readonly extended?: true
  /** The kinds of added fields that are retired: commands under known ids still have values of them. */
  readonly retired?: { readonly [name: string]: Kind<unknown> }
  /** The texts that a search compares; `customer.name` is one of the thing that `customerId` refers to. */
  readonly searched?: readonly ((keyof F & string) | `${string}.${string}`)[]
  /** The searched fields that are phone numbers: a search compares their digits too, whatever separates them. */
  readonly dialled?: readonly (keyof F & string)[]
  /** The fields that rules and links read: selected in addition to the document, so that it need not be parsed. */
  readonly markings: readonly (keyof F & string)[]
  /** The combination of markings as a small number: live things with the same one allow the same operations. */
  situation?(thing: NoInfer<ThingOf<F>>): number
  /** Set if things enter stages, which may require fields of them. */
  readonly entry?: StageEntry<NoInfer<ThingOf<F>>, keyof F & string>
  /** The changes of other things of the resource that follow from a change: decided after it, in its transaction. */
  entails?(
    before: NoInfer<ThingOf<F>> | undefined,
    after: NoInfer<ThingOf<F>>,
    source: SchemaSource,
  ): readonly EntailedChange[]
  /** Set if things of another resource are in parts of its things, which a decision to remove a part counts. */
  readonly parts?: CountedParts<keyof F & string>
  /** The unique field that names a thing in addresses, as well as its id. */
  readonly addressedBy?: keyof F & string
  /** The forms of its operations. */
  readonly forms: 'every' | readonly string[]
  /** The effect of a PUT on absent attributes: they keep their value (`stays`) or get their default (`anew`). */
  readonly put: 'stays' | 'anew'
  /** The headings of its operations on pages, in their order. */
  readonly groups?: readonly string[]
  /**
   * How files of them are imported: row by row through the operations, with their events, or together without
   * operations, with one event that has the counts. `together` is only for numbered things without rules, references
   * and projections.
   */
  readonly imports?: 'row by row' | 'together'
  /** The words of files for its fields and their values. */
  readonly inFiles?: FileWords
  /** The field with the currency of its amounts. */
  readonly moneyIn?: keyof F & string
  /** Set if things are calendar entries. */
  readonly calendar?: CalendarFields<keyof F & string>
  /** A whole thing, for documents and tests. */
  readonly example: NoInfer<Partial<ThingOf<F>>>
}

/** The member of the schema's source that lists what things of a resource make of it. */
export interface ModelPart {
  readonly part: 'fields' | 'pipelines' | 'teams' | 'roles'
  /** The item that a thing's document makes. */
  made(document: { readonly [member: string]: Json }): object
  /** The item when everything that is being removed has gone; undefined if that is all of it. */
  settled?(item: object): object | undefined
}

/** How things enter stages. */
export interface StageEntry<T, Name extends string = string> {
  /** The fields that name the stage. */
  readonly by: readonly Name[]
  /** The fields that any stage requires, named as in filters. */
  requires(source: SchemaSource): readonly string[]
  /** The stage that a change leads into; undefined if the thing was there before. `before` is undefined for a new one. */
  entered(before: T | undefined, after: T, source: SchemaSource): Entered | undefined
}

export interface Entered {
  readonly place: { readonly pipeline: string; readonly stage: string }
  /** Whether it is being removed, or gone: nothing enters it. */
  readonly isClosing: boolean
  /** The fields that must not be empty, named as in filters. */
  readonly requires: readonly string[]
}

/** A change of another thing of the same resource, by an operation like any other. */
export interface EntailedChange {
  readonly id: Key
  readonly operation: string
  readonly params: { readonly [name: string]: Json }
}

/** Things with the same values in some fields, in the order of another one, or of one that a projection adds. */
export interface Lane<Name extends string = string> {
  readonly within: readonly Name[]
  readonly by: string
}

/** A declared kind of thing, and everything that follows from its fields. A schema turns it into a `Resource`. */
export interface DeclaredResource<N extends string = string, F extends Fields = Fields, P extends string = string>
  extends ResourceDeclaration<N, F, P>,
    Partial<Omit<AuditedDeclaration<N, F, P>, keyof NounDeclaration<N, F, P> | 'feed'>> {
  /** Where its changes are recorded. */
  readonly feed: 'events' | 'audit'
  /** Identifies a thing within its list: `id`, unless the declaration says otherwise. */
  readonly key: keyof F & string
  /** Of the fields that documents have. */
  readonly kinds: KindsOf<F>
  readonly names: readonly (keyof F & string)[]
  /** The columns of a thing's row: the declared fields, and one for all added fields. */
  readonly columns: readonly string[]
  /** The declared fields whose values are texts. */
  readonly texts: readonly (keyof F & string)[]
  /** The fields whose values have parts, such as lists. */
  readonly structures: readonly (keyof F & string)[]
  /** The fields that were added at run time. */
  readonly added: readonly AddedName[]
  /** The members of a creation or replacement. */
  readonly create: CreateMembers<F>
  /** The members of a partial update. */
  readonly patch: PatchMembers<F>
  /** The fields whose values name one thing. */
  readonly uniques: readonly (keyof F & string)[]
  /** Deleted things stay, with `deletedAt`, until they are purged. */
  readonly keepsDeleted: boolean
  /** The thing before its creation, which is an operation like the others. */
  blank(id: Key, now: string): ThingOf<F>
  toJson(thing: ThingOf<DocumentFields<F>>): string
  /** The stored document, which lacks the fields that are stored outside it. */
  toDoc(thing: ThingOf<DocumentFields<F>>): string
  /** The members that differ, except `updatedAt` and `revision`, as JSON without braces. */
  changesToJson(before: ThingOf<F>, after: ThingOf<F>): string
  /** The declared fields that hold the key of another resource. */
  readonly references: readonly Reference[]
  /** Set if a thing is a query of a collection, whose result is its items. */
  readonly savedQuery?: SavedQueryFields
}

/** The field with the query, and the one that names its collection. */
export interface SavedQueryFields {
  readonly query: string
  readonly collection: string
}

/** The members of a creation, for any resource. */
export const membersToCreate = ({ create }: Pick<DeclaredResource, 'create'>): Members => create as unknown as Members

/** The members of a partial update, for any resource. */
export const membersToChange = ({ patch }: Pick<DeclaredResource, 'patch'>): Members => patch as unknown as Members

export interface Reference {
  readonly field: string
  readonly to: string
  /** The name of the relation: `customer` for `customerId`. */
  readonly name: string
  readonly without?: Without
}

export function defineResource<const N extends string, const P extends string, const F extends Fields>(
  declaration: AuditedDeclaration<N, F, P>,
): DeclaredResource<N, F, P>
export function defineResource<const N extends string, const F extends Fields, const P extends string>(
  declaration: ResourceDeclaration<N, F, P>,
): DeclaredResource<N, F, P>
export function defineResource<N extends string, F extends Fields, P extends string>(
  declared: ResourceDeclaration<N, F, P> | AuditedDeclaration<N, F, P>,
): DeclaredResource<N, F, P> {
  const declaration: Declaration<N, F, P> = isAudited(declared)
    ? { ...withoutForms(declared), ...declared }
    : { ...TOLD, ...declared }
  const { fields, extensible = false, extended = false, beside = [] } = declaration
  const all = Object.entries(fields)
  const entries = all.filter(([, { added }]) => added === undefined)
  const stored = Object.fromEntries(entries) as F
  const shown = documentFields(stored) as DocumentFields<F> & Fields
  const kept = Object.fromEntries(Object.entries(shown).filter(([name]) => !beside.includes(name)))
  const asking = entries.find(([, { kind }]) => kind.queryOf !== undefined)
  const initial = Object.fromEntries(all.map(([name, field]) => [name, beginning(field)]))
  return {
    ...declaration,
    kinds: kindsOf(documentFields(fields) as unknown as F),
    names: Object.keys(fields),
    columns: [...Object.keys(stored), ...(extensible ? [OWN] : [])],
    texts: Object.keys(stored).filter((name) => stored[name]?.kind.name === 'text'),
    structures: Object.keys(stored).filter((name) => stored[name]?.kind.name === 'json'),
    added: all.flatMap(([name, field]) => (field.added === undefined ? [] : [{ name, field }])),
    create: createMembers(fields),
    patch: patchMembers(fields),
    uniques: Object.keys(fields).filter((name) => fields[name]?.unique),
    keepsDeleted: 'deletedAt' in fields,
    blank: (id, now) => ({ ...initial, id, createdAt: now, updatedAt: now, revision: 0 }) as unknown as ThingOf<F>,
    toJson: jsonWriter(shown, extended),
    toDoc: jsonWriter(kept, extended),
    changesToJson: changesWriter(stored, extended),
    ...(asking?.[1].kind.queryOf && { savedQuery: { query: asking[0], collection: asking[1].kind.queryOf } }),
    references: entries.flatMap(([field, { kind }]) =>
      kind.refersTo === undefined
        ? []
        : [
            {
              field,
              to: kind.refersTo,
              name: field.endsWith('Id') ? field.slice(0, -2) : kind.refersTo,
              ...(kind.without && { without: kind.without }),
            },
          ],
    ),
  }
}

type Declaration<N extends string, F extends Fields, P extends string> = ResourceDeclaration<N, F, P> &
  Pick<DeclaredResource<N, F, P>, 'feed' | 'key' | 'beside'>

const isAudited = <N extends string, F extends Fields, P extends string>(
  declared: ResourceDeclaration<N, F, P> | AuditedDeclaration<N, F, P>,
): declared is AuditedDeclaration<N, F, P> => 'feed' in declared && declared.feed === 'audit'

const TOLD = { feed: 'events', key: 'id' } as const

/** The declarations that an audited resource need not have. */
const withoutForms = <F extends Fields>({ key }: { readonly key: keyof F & string }) =>
  ({ indexed: [key], markings: [], forms: [], put: 'stays', example: {} }) as const

/** A required field is empty in a blank thing. */
function beginning({ kind, initial }: Field): unknown {
  if (initial !== undefined) return initial
  if (kind.nullable) return null
  if (kind.name === 'json') return {}
  return isNumeric(kind) ? 0 : ''
}
