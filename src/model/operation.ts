import type { Fault, Reason } from '../values/faults/fault.ts'
import { currency as currencyCode } from '../values/kinds/codes.ts'
import type { Json } from '../values/kinds/kind.ts'
import { decimalsFault } from '../values/kinds/money.ts'
import {
  type FurtherCheck,
  isObject,
  type Members,
  pointerTo,
  readMembers,
  type ValuesOf,
  writeMembers,
} from '../values/members.ts'
import type { Role } from '../values/role.ts'
import type { Field, ThingOf } from './field.ts'
import type { Key, Resource, Thing } from './resource.ts'
import { type Rule, whyNot } from './rule.ts'

export type Params = { readonly [name: string]: Json }

/** The input of a decision besides the thing and the parameters. */
export interface Circumstances {
  readonly now: string
  /** Whether a thing that a parameter refers to exists. */
  readonly exists: (resource: string, id: Key) => boolean
  readonly queryFaults: QueryFaults
}

/** What is wrong with a query of a collection; a fault without a parameter is the collection's. */
export type QueryFaults = (collection: string, query: string) => readonly Fault[]

/** Writes values as the reader of a sentence does. */
export interface Say {
  readonly amount: (value: Json | undefined) => string
  readonly date: (value: Json | undefined) => string
  readonly number: (value: Json | undefined) => string
  /** One of the values that a field may have, such as a stage. */
  readonly choice: (value: Json | undefined) => string
  /** The name of a thing. */
  readonly name: (resource: string, id: Json | undefined) => string
  readonly fields: (names: readonly string[]) => string
}

/**
 * What was done, as it follows the actor's name: an English text with places, which pages translate as a whole, and what
 * is in them. `said` is the reason or text, shown separately.
 */
export interface Sentence {
  readonly done: string
  readonly with?: { readonly [place: string]: string }
  readonly said?: string
}

interface OperationDeclaration<R extends Resource, N extends string, A extends string, M extends Members> {
  readonly on: R
  readonly name: N
  readonly title: string
  /** The title on a thing that already is what the operation makes it. */
  readonly again?: string
  /** Written out, because English is too irregular to inflect them. */
  readonly words: {
    readonly participles: readonly string[]
    readonly noun: string
    readonly action: A
    readonly event: `${R['name']}.${string}`
  }
  /** The heading on pages. */
  readonly group: string
  /** Its rank under the heading; operations without one follow in the order of the list. */
  readonly rank?: number
  /** Pages ask for confirmation. */
  readonly danger?: true
  readonly sentence: (params: Params, say: Say) => Sentence
  /** Its target: none (a creation), a deleted thing, or by default a live one. */
  readonly to?: 'nothing' | 'deleted'
  /** The required role, if it is not the resource's. */
  readonly role?: Role
  readonly params: M
  /** Complete, valid parameters for tests, documents and placeholders. */
  readonly examples: readonly [Params, ...Params[]]
  /** All must be met; the first that is not gives the reason of the refusal. */
  readonly allowed: readonly Rule<ThingOf<R['fields']>>[]
  /** The fields it changes, named to a client that tries to set one directly. */
  readonly changes: readonly (keyof R['fields'] & string)[]
  /** The parameters that an attribute update asks for, or undefined if it does not ask for this operation. */
  readonly fromAttributes?: AskWith<ThingOf<R['fields']>, Partial<ThingOf<R['fields']>>>
  /** The same for an imported row, which also asks for operations that an attribute update must name. */
  readonly fromRow?: AskWith<ThingOf<R['fields']>, Partial<ThingOf<R['fields']>>>
  /** Its order in an attribute update: before the others, in the opposite order of the list, or after them. */
  readonly turn?: 'first' | 'last'
  /** The field that each parameter sets, so that a fault points at the member that the client sent. */
  readonly sets?: { readonly [param: string]: keyof R['fields'] & string }
  /** The fields that it sets to a fixed value, if an attribute update can ask for it. */
  readonly marks?: { readonly [F in keyof R['fields']]?: boolean | string }
  /** Faults of the parameters that do not depend on the thing, beyond those of their kinds. */
  readonly check?: (params: Partial<ValuesOf<M>>, now: string) => readonly Fault[]
  readonly apply: Apply<R['fields'], M>
  /** Records only the parameters that change something; without any, there is no event. */
  readonly differences?: true
  /** Removes the thing permanently; refused while another thing refers to it. */
  readonly removes?: true
  /** What gives back the former state, of which documents show these values; absent if nothing does. decisions/0048 */
  readonly undo?: (before: ShownFields<R['fields']>, params: Params) => readonly UndoStep[]
}

/** An operation on the same thing, by its name. */
export interface UndoStep {
  readonly operation: string
  readonly params: Params
}

type ShownFields<F> = { readonly [N in keyof F]: Json }

type AskWith<T, W> = (
  thing: T,
  wanted: W,
) => { readonly params: { readonly [param: string]: unknown } } | { readonly faults: readonly Fault[] } | undefined

export type Apply<F, M> = (
  thing: ThingOf<F>,
  params: ValuesOf<M>,
  now: string,
) => Change<F> | { readonly faults: readonly Fault[] }

/** The fields that an operation may set. */
type Change<F> = Partial<{ readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never }>

export type Decision =
  | { readonly thing: Thing; readonly params: Params }
  | { readonly faults: readonly Fault[] }
  | { readonly notAllowed: Reason }

/** A declaration and what follows from it. */
export interface Operation<
  R extends Resource = Resource,
  N extends string = string,
  A extends string = string,
  M extends Members = Members,
> extends Omit<
    OperationDeclaration<R, N, A, M>,
    'apply' | 'check' | 'allowed' | 'fromAttributes' | 'fromRow' | 'undo'
  > {
  readonly undo?: (before: Params, params: Params) => readonly UndoStep[]
  readonly allowed: readonly Rule<Thing>[]
  readonly fromAttributes?: AskWith<Thing, object>
  readonly fromRow?: AskWith<Thing, object>
  readonly decide: (thing: Thing, rawParams: unknown, circumstances: Circumstances) => Decision
  /** The parameters in canonical form, defaults included; undefined if they are faulty. */
  readonly normalize: (rawParams: unknown) => Params | undefined
}

export function defineOperation<
  R extends Resource,
  const N extends string,
  const A extends string,
  const M extends Members,
>(declaration: OperationDeclaration<R, N, A, M>): Operation<R, N, A, M> {
  const { on, params: members, check, differences } = declaration
  const references = Object.entries(members).flatMap(([name, { kind }]) =>
    kind.refersTo === undefined ? [] : [{ name, to: kind.refersTo }],
  )
  const queries = Object.entries(members).flatMap(([name, { kind }]) =>
    kind.queryOf === undefined ? [] : [{ name, of: kind.queryOf }],
  )
  // The declaration is typed by its resource; lists hold operations on any thing.
  const { allowed, apply, ...rest } = declaration as unknown as Operation<R, N, A, M> & {
    readonly apply: (thing: Thing, params: ValuesOf<M>, now: string) => object
  }
  return {
    ...rest,
    allowed,
    decide(thing, rawParams, { now, exists, queryFaults }) {
      const read = readMembers(members, rawParams, decimalsIn(currencyOf(on, thing, rawParams)))
      const [sound, faults] = 'faults' in read ? [read.sound, read.faults] : [read.values, []]
      const wrong = [
        ...faults,
        ...missing(references, sound, exists),
        ...unanswerable(queries, sound, faults, thing, queryFaults),
        ...(check?.(sound, now) ?? []),
      ]
      if ('faults' in read || wrong.length > 0) return { faults: wrong }
      const reason = whyNot(allowed, thing, now)
      if (reason !== undefined) return { notAllowed: reason }
      const change = apply(thing, read.values, now)
      if ('faults' in change) return change as { readonly faults: readonly Fault[] }
      const after = { ...thing, ...change, updatedAt: now, revision: thing.revision + 1 }
      const params = writeMembers(members, read.values)
      return { thing: after, params: differences ? differing(params, thing, after) : params }
    },
    normalize(rawParams) {
      const read = readMembers(members, rawParams)
      return 'values' in read ? writeMembers(members, read.values) : undefined
    },
  }
}

/** Finds amounts with more decimals than their currency has; skipped if the currency is unknown. */
const decimalsIn =
  (currency: string | undefined): FurtherCheck =>
  ({ name }, value) =>
    currency !== undefined && name === 'amount' && typeof value === 'number'
      ? decimalsFault(value, currency)
      : undefined

/** The parameters of a creation may name another currency. */
function currencyOf({ moneyIn }: Resource, thing: Thing, rawParams: unknown): string | undefined {
  if (moneyIn === undefined) return undefined
  if (!isObject(rawParams) || !Object.hasOwn(rawParams, moneyIn)) return valueIn(thing, moneyIn) as string
  const stated = currencyCode.read(rawParams[moneyIn])
  return 'value' in stated ? stated.value : undefined
}

function missing(
  references: readonly { readonly name: string; readonly to: string }[],
  values: object,
  exists: Circumstances['exists'],
): readonly Fault[] {
  return references.flatMap(({ name, to }) => {
    const id = valueIn(values, name)
    if (id === undefined || id === null || exists(to, id as Key)) return []
    return [{ code: 'not-found', with: { on: to, id: id as Key }, at: { pointer: pointerTo(name) } }]
  })
}

/** A query is checked when it or its collection is given: one that was saved before stays as it is. */
function unanswerable(
  queries: readonly { readonly name: string; readonly of: string }[],
  values: object,
  faults: readonly Fault[],
  thing: Thing,
  faultsOf: QueryFaults,
): readonly Fault[] {
  const isFaulty = (name: string): boolean => faults.some(({ at }) => at.pointer === pointerTo(name))
  return queries.flatMap(({ name, of }) => {
    // Its own fault and that of its collection are told already.
    if (isFaulty(name) || isFaulty(of)) return []
    if (!(Object.hasOwn(values, name) || Object.hasOwn(values, of))) return []
    const [collection, query] = [of, name].map((each) => valueIn(values, each) ?? valueIn(thing, each))
    return faultsOf(String(collection), String(query)).map(({ at, ...each }) => ({
      ...each,
      at: { ...at, pointer: pointerTo(at.parameter === undefined ? of : name) },
    }))
  })
}

function differing(params: Params, before: Thing, after: Thing): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => valueIn(before, name) !== valueIn(after, name)))
}

/** The value of a field whose name is known only at run time. */
export const valueIn = (thing: object, name: string): unknown => (thing as Readonly<Record<string, unknown>>)[name]
