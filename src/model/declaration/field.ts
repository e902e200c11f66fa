import type { Kind } from '../../values/kinds/kind.ts'
import { type Member, type Members, optional, required, withDefault } from '../../values/members.ts'

/** A field of a resource: its kind, and who sets it. */
export interface Field<T = unknown> {
  readonly kind: Kind<T>
  /** Clients give it in a creation or update, operations set it, or the service assigns it. */
  readonly by: 'client' | 'operations' | 'service'
  /** Its value in a new thing, unless one is given. A field without one is required. */
  readonly initial?: T
  /** No two things of the resource have the same value, deleted ones included; null is no value. decisions/0058 */
  readonly unique?: true
  /** Its kind in creations and changes, if it must have a value although earlier things have none. */
  readonly required?: Kind<unknown>
  /** Set for a field that was added at run time. */
  readonly added?: {
    readonly unique?: boolean
    readonly indexed?: boolean
    readonly state?: string
    readonly revision?: number
  }
  /** Never written into a document, except once when it was created. */
  readonly secret?: true
}

export type Fields = Readonly<Record<string, Field>>

/** A thing in the model. */
export type ThingOf<F> = { readonly [N in keyof F]: F[N] extends { readonly kind: Kind<infer T> } ? T : never }

export type KindsOf<F extends Fields> = { readonly [N in keyof F]: F[N]['kind'] }

export const kindsOf = <F extends Fields>(fields: F): KindsOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind])) as KindsOf<F>

type Given<K> = { readonly kind: K; readonly by: 'client' }

/** Given by clients; required if it has no initial value. */
export function given<T>(kind: Kind<T>): Given<Kind<T>>
export function given<T>(kind: Kind<T>, initial: NoInfer<T>): Given<Kind<T>> & { readonly initial: T }
export function given<T>(kind: Kind<T>, ...initial: readonly T[]): Field<T> {
  return initial.length === 0 ? { kind, by: 'client' } : { kind, by: 'client', initial: initial[0] as T }
}

/** A field whose value names its thing: no other thing of the resource has it. */
export const unique = <F extends Field>(field: F) => ({ ...field, unique: true }) as const

/** Set by operations, beginning with a value. */
export const kept = <T>(kind: Kind<T>, initial: NoInfer<T>) => ({ kind, by: 'operations', initial }) as const

/** Set by the service: ids, instants, revisions. */
export const assigned = <T>(kind: Kind<T>) => ({ kind, by: 'service' }) as const

/** Set by the service, and shown at most once. */
export const secret = <T>(kind: Kind<T>) => ({ kind, by: 'service', secret: true }) as const

/** In no document, though it is not a secret: the address contains it, or only the service needs it. */
export const internal = secret

/** The fields that documents have. */
export type DocumentFields<F> = { readonly [N in keyof F as F[N] extends { readonly secret: true } ? never : N]: F[N] }

export const documentFields = <F extends Fields>(fields: F): DocumentFields<F> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.secret)) as DocumentFields<F>

type NamesBy<F, B> = { [N in keyof F]: F[N] extends { readonly by: B } ? N : never }[keyof F]
type RequiredFieldNames<F> = {
  [N in keyof F]: F[N] extends { readonly by: 'client' } ? (F[N] extends { initial: unknown } ? never : N) : never
}[keyof F]
type KindIn<F> = F extends { readonly kind: Kind<infer T> } ? T : never

/** The members of a creation or replacement. */
export type CreateMembers<F> = {
  readonly [N in RequiredFieldNames<F>]: { readonly kind: Kind<KindIn<F[N]>>; readonly required: true }
} & {
  readonly [N in Exclude<NamesBy<F, 'client'>, RequiredFieldNames<F>>]: {
    readonly kind: Kind<KindIn<F[N]>>
    readonly required: false
    readonly default: KindIn<F[N]>
  }
}

/** The members of a partial update. */
export type PatchMembers<F> = {
  readonly [N in NamesBy<F, 'client'>]: { readonly kind: Kind<KindIn<F[N]>>; readonly required: false }
}

export function createMembers<F extends Fields>(fields: F): CreateMembers<F> {
  return membersOf(fields, ({ kind, ...field }) => {
    if (field.required !== undefined) return required(field.required)
    return 'initial' in field ? withDefault(kind, field.initial) : required(kind)
  }) as unknown as CreateMembers<F>
}

export function patchMembers<F extends Fields>(fields: F): PatchMembers<F> {
  return membersOf(fields, ({ kind, required = kind }) => optional(required)) as unknown as PatchMembers<F>
}

function membersOf(fields: Fields, member: (field: Field) => Member<unknown>): Members {
  const given = Object.entries(fields).filter(([, { by }]) => by === 'client')
  return Object.fromEntries(given.map(([name, field]) => [name, member(field)]))
}
