import type { ComparisonName } from '../queries/expressions/comparison.ts'
import type { DatePart, MeasureName } from '../queries/members/groups.ts'
import type { KindName } from '../values/kinds/kind.ts'
import type { Declared, ItemsOf, Noun } from './declared.ts'

// Queries of lists, derived from the declarations of the service. Types only: nothing here exists at run time.

/** The query options of each list: a kind determines what a field is compared with and what can be computed from it. */
type Asked = {
  readonly [N in Noun as Declared[N]['plural']]: {
    readonly fields: {
      readonly [F in keyof Declared[N]['fields']]: First<Declared[N]['fields'][F]>
    } & Declared[N]['filters']
    readonly relations: Declared[N]['relations']
  }
}
type First<P> = P extends readonly [infer K, unknown] ? K : never

export type ResourceName = keyof Asked

/** A thing of a list. */
export type ThingIn<C> = C extends keyof ItemsOf ? ItemsOf[C] : never

export type RelationName<C extends ResourceName> = keyof Asked[C]['relations'] & string

/** The related things, as `expand` shows them. */
export type Expanded<C extends ResourceName, E> = {
  readonly [N in E & RelationName<C>]: Related<Asked[C]['relations'][N]>
}
type Related<R> = R extends readonly ['one', infer C]
  ? ThingIn<C> | null
  : R extends readonly ['many', infer C]
    ? { readonly items: readonly ThingIn<C>[]; readonly hasMore: boolean }
    : never

/** The fields of a resource with their kinds; those of a related thing follow its name. */
type OwnKinds<C extends ResourceName> = Asked[C]['fields']
type KindsThrough<C extends ResourceName> = Joined<{
  [N in RelationName<C>]: Asked[C]['relations'][N] extends readonly ['one', infer R extends ResourceName]
    ? { readonly [F in keyof OwnKinds<R> & string as `${N}.${F}`]: OwnKinds<R>[F] }
    : unknown
}>
/** The members of all members together. */
type Joined<T> = { [N in keyof T]: (one: T[N]) => void }[keyof T] extends (all: infer A) => void ? A : never
export type Kinds<C extends ResourceName> = OwnKinds<C> & KindsThrough<C>

/** The fields that a list can be filtered by, and the values that they are compared with. */
export type Compared<C extends ResourceName> = {
  readonly [F in keyof OwnKinds<C>]: F extends keyof ThingIn<C> ? ThingIn<C>[F] : ValueOfKind<OwnKinds<C>[F]>
} & { readonly [F in keyof KindsThrough<C>]: ValueOfKind<KindsThrough<C>[F]> | null }

type ValueOfKind<K> = K extends 'integer' | 'amount' ? number : K extends 'boolean' ? boolean : string

/**
 * `{ or: [{ customerId: null }, { price: { gte: 1000 } }] }`: all members must hold; a list means any of its values.
 */
export type Where<V> = { readonly [F in keyof V]?: V[F] | readonly V[F][] | Comparisons<V[F]> } & {
  readonly and?: readonly Where<V>[]
  readonly or?: readonly Where<V>[]
  readonly not?: Where<V>
}

/** `ilike` has a pattern with `*` or `%` for any text and `_` for one character. */
type Comparisons<T> = {
  readonly [O in ComparisonName | 'ilike']?: O extends 'null' | 'unknown'
    ? boolean
    : O extends 'gt' | 'gte' | 'lt' | 'lte'
      ? NonNullable<T>
      : O extends 'eq' | 'ne' | 'in'
        ? T | readonly T[]
        : string | readonly string[]
}

type NamesOfKind<C extends ResourceName, K extends KindName> = {
  [F in keyof Kinds<C>]: Kinds<C>[F] extends K ? F : never
}[keyof Kinds<C>] &
  string

/** The keys of groups: a field, or a part of a date. */
export type GroupName<C extends ResourceName> =
  | (keyof Kinds<C> & string)
  | `${NamesOfKind<C, 'date' | 'instant'>}.${DatePart}`

/** The measures of each group. */
export type MeasuredName<C extends ResourceName> =
  | 'count'
  | `${Exclude<MeasureName, 'sum' | 'avg'>}.${keyof Kinds<C> & string}`
  | `${'sum' | 'avg'}.${NamesOfKind<C, 'integer' | 'amount'>}`

/** A group: its keys and its measures; a measure without values is null. */
export type GroupOf<C extends ResourceName, G, M> = {
  readonly [N in G & string]: N extends keyof Compared<C> ? Compared<C>[N] : string | null
} & {
  readonly [N in [M] extends [never] ? 'count' : M & string]: N extends `${'min' | 'max'}.${infer F}`
    ? ValueOfKind<Kinds<C>[F & keyof Kinds<C>]> | null
    : N extends `${'sum' | 'avg'}.${string}`
      ? number | null
      : number
}

/** The names of the things to show, or one name. */
export type Names<N> = N | readonly N[]

type FilterValue = string | number | boolean
export type FilterValues = Names<FilterValue>
type Name<V> = keyof V & string

/** Filters by name: `{ status: 'open', 'price.gte': 1000 }`. Several values mean any of them; a text for `.in` is a list with commas. */
export type Query<V> = {
  readonly [F in Name<V> | `${Name<V>}.${ComparisonName}`]?: FilterValues
} & { readonly [F in `${'min' | 'max'}-${Name<V>}` | 'gt' | 'lt' | 'min' | 'max']?: FilterValues } & {
  /** A filter with and, or and not; it applies in addition to the others. */
  readonly where?: Where<V>
  /** `age,-name` */
  readonly sort?: Names<string>
  readonly fields?: Names<string>
  readonly page?: number
  readonly offset?: number
  readonly maxpagesize?: number
  readonly count?: 'exact'
  readonly after?: string
  readonly before?: string
}

/** A query of deals or customers. With `group` or `measure` it gives groups. */
export type ThingQuery<C extends ResourceName, E, G, M, O> = Query<Compared<C> & OwnCompared<O, C>> & {
  /** Words that occur in a thing, regardless of case and accents. */
  readonly search?: string
  readonly expand?: Names<E>
  readonly group?: Names<G>
  readonly measure?: Names<M>
}

/**
 * Fields that admins added, by the resource that they are on, and the stages of each pipeline; `dealdesk types` writes
 * the type of a service.
 */
export type OwnFields = { readonly [N in Noun]?: object } & { readonly pipelines?: object }

type NounOf<C> = { [N in Noun]: Declared[N]['plural'] extends C ? N : never }[Noun]
type OwnOf<O, C> = [NounOf<C> & keyof O] extends [never] ? Record<never, never> : O[NounOf<C> & keyof O]

/** The values of added fields in a thing; without added fields it has no such member. */
export type WithOwn<O, C> = (C extends 'deals' ? PlaceIn<O> : unknown) &
  ([NounOf<C> & keyof O] extends [never] ? unknown : { readonly own: OwnOf<O, C> })

/** The place of a deal, if the pipelines and their stages are known. */
type PlaceIn<O> = O extends { readonly pipelines: infer P }
  ? { readonly pipeline: keyof P & string; readonly stage: P[keyof P] & string }
  : unknown
export type SentPlace<O> = unknown extends PlaceIn<O> ? unknown : Partial<PlaceIn<O>>

/** Parameters with those stages instead of the first ones. */
export type InPlace<P, O> = unknown extends PlaceIn<O> ? P : Omit<P, 'pipeline' | 'stage'> & Partial<PlaceIn<O>>

/** The values of added fields in a creation or a change: those that are not sent stay. */
export type SentOwn<O, C> = [NounOf<C> & keyof O] extends [never] ? unknown : { readonly own?: Partial<OwnOf<O, C>> }

/** The filters by added fields: `'own.budget.gte'`. */
export type OwnCompared<O, C> = {
  readonly [F in OwnName<O, C>]: F extends `own.${infer N}` ? Value<OwnOf<O, C>, N> : never
}
export type OwnName<O, C> = `own.${keyof OwnOf<O, C> & string}`
type Value<V, N> = N extends keyof V ? V[N] : never

/** The items of such a query. */
export type Listed<C extends ResourceName, E, G, M> = [G | M] extends [never]
  ? ThingIn<C> & Expanded<C, E>
  : GroupOf<C, G, M>

/** The things of a list, with their added fields and those stages. */
export type Whole<T, O, C> = WithOwn<O, C> & (C extends 'deals' ? Unplaced<T, O> : T)
type Unplaced<T, O> = unknown extends PlaceIn<O> ? T : Omit<T, 'pipeline' | 'stage'>
