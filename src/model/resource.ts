import type { Kind } from '../values/kinds/kind.ts'
import type { Members } from '../values/members.ts'
import type { Role } from '../values/role.ts'
import {
  type CreateMembers,
  createMembers,
  type Field,
  type Fields,
  type PatchMembers,
  patchMembers,
  type ThingOf,
} from './field.ts'
import { jsonWriter } from './json-writer.ts'

/** Identifies a thing: a UUID, or a number that the service counts. */
export type Key = string | number

/** What every thing has. */
export type Thing = {
  readonly id: Key
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

interface ResourceDeclaration<N extends string, F extends Fields> {
  /** What one is called: in events, commands, problems and XML. */
  readonly name: N
  /** What many are called: the collection and its table. */
  readonly plural: string
  /** Where the collection is found. */
  readonly path: string
  /** In the order in which a thing is written and stored, `id` first. */
  readonly fields: F
  /** A sort on one of these is answered from an index, from the first page to the last. */
  readonly indexed: readonly (keyof F & string)[]
  /** Equality with one of these is answered from an index, in the order of the key. */
  readonly scopes?: readonly (keyof F & string)[]
  /** Looked at by rules and links: read beside the document, so that it need not be parsed. */
  readonly markings: readonly (keyof F & string)[]
  /** Two things with the same markings allow the same operations: what tells them apart, as a small number. */
  situation?(thing: NoInfer<ThingOf<F>>): number
  /** The forms in which its operations can be asked for. */
  readonly forms: 'every' | readonly string[]
  /** What the attributes of a PUT leave out: it `stays` as it is, or begins `anew`. */
  readonly put: 'stays' | 'anew'
  /** The headings under which people find its operations, in their order. */
  readonly groups?: readonly string[]
  readonly roles: { readonly reads: Role; readonly writes: Role }
  /** The field that names the currency of its amounts. */
  readonly moneyIn?: keyof F & string
  /** A whole thing, for documents and tests. */
  readonly example: NoInfer<Partial<ThingOf<F>>>
}

/** What there is, declared once. Everything that depends on the fields alone follows from it. */
export interface Resource<N extends string = string, F extends Fields = Fields> extends ResourceDeclaration<N, F> {
  readonly kinds: { readonly [K in keyof F]: F[K]['kind'] }
  readonly names: readonly (keyof F & string)[]
  /** What a client gives to make one, or to replace one. */
  readonly create: CreateMembers<F>
  /** What a client gives to change some of one. */
  readonly patch: PatchMembers<F>
  /** Deleted things stay, marked, until they are purged. */
  readonly keepsDeleted: boolean
  /** Where one begins: creation is an operation like the others, done to this. */
  blank(id: Key, now: string): ThingOf<F>
  toJson(thing: ThingOf<F>): string
  /** The fields that hold the key of another resource. */
  readonly references: readonly Reference[]
}

/** The members of a creation, whichever resource it is. */
export const membersToCreate = ({ create }: Resource): Members => create as unknown as Members

export interface Reference {
  readonly field: string
  readonly to: string
}

export function defineResource<const N extends string, const F extends Fields>(
  declaration: ResourceDeclaration<N, F>,
): Resource<N, F> {
  const { fields } = declaration
  const entries = Object.entries(fields)
  const initial = Object.fromEntries(entries.map(([name, field]) => [name, beginning(field)]))
  return {
    ...declaration,
    kinds: Object.fromEntries(entries.map(([name, { kind }]) => [name, kind])) as Resource<N, F>['kinds'],
    names: Object.keys(fields),
    create: createMembers(fields),
    patch: patchMembers(fields),
    keepsDeleted: 'deletedAt' in fields,
    blank: (id, now) => ({ ...initial, id, createdAt: now, updatedAt: now, revision: 0 }) as unknown as ThingOf<F>,
    toJson: jsonWriter(fields),
    references: entries.flatMap(([field, { kind }]) =>
      kind.refersTo === undefined ? [] : [{ field, to: kind.refersTo }],
    ),
  }
}

/** A field that must be given is empty until it is. */
function beginning({ kind, initial }: Field): unknown {
  if (initial !== undefined) return initial
  return numeric.has(kind.name) ? 0 : ''
}

const numeric: ReadonlySet<Kind<unknown>['name']> = new Set(['integer', 'amount'])
