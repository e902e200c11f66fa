import type { Fault, Reason } from '../../values/faults/fault.ts'
import type { Json } from '../../values/json/json.ts'
import { ownField } from '../../values/json/own.ts'
import { capitalized } from '../../values/kinds/text.ts'
import { type Members, memberEntries, type ValuesOf } from '../../values/members.ts'
import type { Caller, Role } from '../../values/role.ts'
import type { SchemaSource } from '../source/schema-source.ts'
import type { AuditNote } from './audit-note.ts'
import type { Field, ThingOf } from './field.ts'
import type { Refusal } from './refusal.ts'
import type { DeclaredResource, Key, Thing } from './resource.ts'

export type Params = { readonly [name: string]: Json }

/** The input of a decision besides the thing and the parameters. */
export interface Circumstances {
  readonly now: string
  /** Whether a thing that a parameter refers to exists. */
  readonly exists: Exists
  readonly queryFaults: QueryFaults
  /** The number of things in each part of the thing; counted if a part may be removed. */
  readonly counts?: PartCounts | undefined
  /** Whether no rule is asked. */
  readonly unconditional?: boolean
  /** Undefined in an open service, and for the service itself. */
  readonly caller?: Caller | undefined
  /** The facts that the store knows in addition to the thing, for operations that ask for them. */
  readonly known?: unknown
  /** The result of the preparation outside the transaction; undefined before that. */
  readonly prepared?: unknown
  readonly conditionFaults?: ConditionFaults
}

/** Which changes of a resource's things a webhook is about. `where` is a query, as in an address. */
export interface StoredCondition {
  /** The name of the only resource that its types name. */
  readonly on: string | undefined
  readonly where: string | null
  readonly changed: readonly string[] | null
  /** The user that `me` names. */
  readonly owner: string | null
}

/** The faults of a condition, which only the schema's collections know. */
export type ConditionFaults = (condition: StoredCondition) => readonly Fault[]

/** A link names no deleted thing, which goes with the purge. */
export type Exists = (resource: string, id: Key, isLink: boolean) => boolean

/** By the name of the part. */
export type PartCounts = ReadonlyMap<string, number>

/** The faults of a query of a collection; a fault without a parameter is the collection's. */
export type QueryFaults = (collection: string, query: string) => readonly Fault[]

/** Formats values for a sentence; the caller decides what they become. */
export interface Say<T> {
  readonly amount: (value: Json | undefined) => T
  readonly date: (value: Json | undefined) => T
  readonly number: (value: Json | undefined) => T
  /** One of the values that a field may have, such as a stage. */
  readonly choice: (value: Json | undefined) => T
  /** The name of a thing. */
  readonly name: (resource: string, id: Json | undefined) => T
  readonly fields: (names: readonly string[]) => T
  /** Somebody who works with the service. */
  readonly person: (name: Json | undefined) => T
}

/**
 * What was done, to follow the actor's name: an English text with places, which pages translate as a whole, and the
 * values of the places. `said` is the reason or text, shown separately.
 */
export interface Sentence<T> {
  readonly done: string
  readonly with?: { readonly [place: string]: T | string }
  readonly said?: string
}

/** A declared operation. A schema turns it into an `Operation` on its own resource. */
export interface DeclaredOperation<
  R extends DeclaredResource = DeclaredResource,
  N extends string = string,
  A extends string = string,
  M extends Members = Members,
> extends Outside<ThingOf<R['fields']>, M> {
  readonly on: R
  readonly name: N
  readonly title: string
  /** The title if the thing is already in the state that the operation leads to. */
  readonly again?: string
  /** Spelled out, because English is too irregular to inflect them. */
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
  readonly sentence: <T>(params: Params, say: Say<T>) => Sentence<T>
  /** Its target: none (a creation), a deleted thing, or by default a live one. */
  readonly to?: 'nothing' | 'deleted'
  /** The required role, if it is not the resource's. */
  readonly role?: Role
  /** Its parameters, which follow from the fields of the resource in its schema. */
  readonly params: (on: R) => M
  /** Whether at least one parameter must be sent, although each is optional. */
  readonly needsOne?: true
  /** Complete, valid parameters for tests, documents and placeholders. */
  readonly examples: readonly [Params, ...Params[]]
  /** All must hold; the first that does not gives the reason of the refusal. */
  readonly allowed: readonly Rule<ThingOf<R['fields']>>[]
  /** The fields it changes, named to a client that tries to set one directly; by default those that it takes. */
  readonly changes?: readonly (keyof R['fields'] & string)[]
  /** The parameters that an attribute update asks for, or undefined if it does not ask for this operation. */
  readonly fromAttributes?: AskWith<ThingOf<R['fields']>, Partial<ThingOf<R['fields']>>, R>
  /** The same for an imported row, which also asks for operations that an attribute update must name. */
  readonly fromRow?: AskWith<ThingOf<R['fields']>, Partial<ThingOf<R['fields']>>, R>
  /** Its order in an attribute update: before the others, in the opposite order of the list, or after them. */
  readonly turn?: 'first' | 'last'
  /** The field that each parameter sets, so that a fault points at the member that the client sent. */
  readonly sets?: { readonly [param: string]: keyof R['fields'] & string }
  /** The fields that it sets to a fixed value, if an attribute update can ask for it. */
  readonly marks?: { readonly [F in keyof R['fields']]?: boolean | string }
  /** Faults of the sound parameters beyond those of their kinds: found whatever is wrong with the others. */
  readonly check?: Check<R['fields'], M>
  /** `on` is the resource of the schema by which it is decided. */
  readonly apply: Apply<R['fields'], M>
  /** Of a creation: the values of parameters that were not sent, which follow from the others. */
  readonly usual?: (sent: { readonly [param: string]: unknown }, source: SchemaSource) => Params
  /** Records only the parameters that change something; without any, there is no event. */
  readonly differences?: true
  /** Whether it has every form of its address, although the other operations of its resource do not. */
  readonly forms?: 'every'
  /** Its events stay as long as their thing, however old they are. decisions/0042 */
  readonly lasting?: true
  /** Removes the thing permanently; refused while another thing refers to it. */
  readonly removes?: true
  /**
   * The operations that restore the former state, whose document has these values; absent if none do. decisions/0048
   */
  readonly undo?: (before: ShownFields<R['fields']>, params: Params, on: R) => readonly UndoStep[]
}

/** The parts of an audited operation that others do not declare, or declare in another way. */
export interface AuditedOperation<R extends DeclaredResource, N extends string, M extends Members>
  extends Pick<DeclaredOperation<R, N, string, M>, 'on' | 'name' | 'title' | 'role' | 'differences' | 'removes'>,
    Outside<ThingOf<R['fields']>, M> {
  /** Set for creations. */
  readonly to?: 'nothing'
  /** The list that a page's form is sent to, or at which the operation is requested. */
  readonly noun?: string
  /** It gets the `Schema` of its resource. */
  readonly params: (on: R & { readonly schema: never }) => M
  check?: Check<R['fields'], M>
  apply: Apply<R['fields'], M>
}

/** The parts of an operation that reach beyond its thing. */
export interface Outside<T, M extends Members> {
  /** The name of the body's schema, if it has members, and its description. */
  readonly body?: {
    readonly name: string
    readonly examples?: readonly [Params, ...Params[]]
    readonly description?: string
  }
  /** The secret field whose value is drawn for it, and shown in its answer alone. */
  readonly draws?: string
  /** Set if the thing itself stays as it is, without a new revision: something else is written. */
  readonly keepsState?: boolean
  /** Set if something happens outside the transaction first: a password is hashed, a name resolved, a secret drawn. */
  readonly prepares?: true
  /** Whether a state must be named with REQUIRE_IF_MATCH. The forms of most pages send none. */
  readonly demandsState?: true
  /** Why this caller may not do it, whatever their role; parameters with faults are absent. */
  denied?(
    thing: T,
    params: Partial<ValuesOf<M>>,
    caller: Caller,
    facts: Pick<DecidingFacts<T, never>, 'known'>,
  ): Refusal | undefined
  /** The entries of the audit, by event, in order. */
  readonly audit?: { readonly [event: string]: AuditEntries<T, M> }
}

/** The audit's entries of an operation; none if it did not take place. */
export interface AuditEntries<T, M extends Members> {
  /** The English text for people. */
  readonly title: string
  of(after: T, change: AuditedChange<T, M>): readonly AuditNote[] | AuditNote | undefined
}

export interface AuditedChange<T, M extends Members>
  extends Pick<DecidingFacts<T, never, never>, 'known' | 'prepared'> {
  readonly before: T
  readonly params: ValuesOf<M>
}

/** An operation on the same thing, by its name. */
export interface UndoStep {
  readonly operation: string
  readonly params: Params
}

type ShownFields<F> = { readonly [N in keyof F]: Json }

type AskWith<T, W, R> = (thing: T, wanted: W, on: R) => AskedParams | undefined

export type AskedParams =
  | { readonly params: { readonly [param: string]: unknown } }
  | { readonly faults: readonly Fault[] }

export type Check<F, M> = (
  params: Partial<ValuesOf<M>>,
  now: string,
  facts: DecidingFacts<ThingOf<F>, never, never>,
) => readonly Fault[]

/** The facts for checks and effects besides the parameters. An operation names the types of those it asks for. */
export interface DecidingFacts<T, K = unknown, P = unknown> {
  /** The resource of the schema by which it is decided. */
  readonly on: DecidingResource
  readonly thing: T
  readonly counts: PartCounts
  readonly caller: Caller | undefined
  /** The facts that the store knows in addition to the thing. */
  readonly known: K
  /** The result of the preparation outside the transaction. */
  readonly prepared: P
  readonly conditionFaults: ConditionFaults
}

export type Apply<F, M> = (
  thing: ThingOf<F>,
  params: ValuesOf<M>,
  now: string,
  facts: DecidingFacts<ThingOf<F>, never, never>,
) => (Change<F> & Occupied) | Instead<F> | { readonly faults: readonly Fault[] } | { readonly refused: Refusal }

/** Things are in a part that the change takes away, without saying where they go: with it, the change is refused. */
export interface Occupied {
  readonly occupied?: OccupiedPart | undefined
}

/** A part, and the number of things in it. */
export interface OccupiedPart {
  readonly part: string
  readonly count: number
}

/** The change is one of another operation: a removal that has to wait is a change. */
interface Instead<F> {
  readonly instead: string
  readonly change: Change<F>
}

/** The resource in the schema that decides. */
export type DecidingResource = DeclaredResource & { readonly schema: DecidingSchema }

interface DecidingSchema extends SchemaSource {
  readonly byName: ReadonlyMap<string, DeclaredResource>
}

/** The fields that an operation may set. */
type Change<F> = Partial<{ readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never }>

export type Decision =
  /** `instead` is the operation that was done, if it is another one. */
  | {
      readonly thing: Thing
      readonly params: Params
      readonly instead?: string
      readonly occupied?: OccupiedPart | undefined
    }
  | { readonly faults: readonly Fault[] }
  | { readonly notAllowed: Reason }
  /** Nothing is wrong so far: what happens outside the transaction may be prepared. */
  | { readonly prepare: object }
  /** For a reason outside the thing. */
  | { readonly refused: Refusal }

/** Gives a declaration its type. */
export const defineOperation = <
  R extends DeclaredResource,
  const N extends string,
  const A extends string,
  const M extends Members,
>(
  declaration: DeclaredOperation<R, N, A, M>,
): DeclaredOperation<R, N, A, M> => declaration

/** An operation on a thing of a resource that the audit tells of: only its address and its title name it. */
export function defineAudited<R extends DeclaredResource, const N extends string, const M extends Members>({
  noun = '',
  ...declaration
}: AuditedOperation<R, N, M>): DeclaredOperation<R, N, string, M> {
  const { on, name, body } = declaration
  const operation = {
    keepsState: declaration.removes === true,
    ...(declaration.draws !== undefined && { prepares: true as const }),
    ...declaration,
    words: { participles: [], noun, action: capitalized(name) + capitalized(on.name), event: `${on.name}.${name}` },
    group: capitalized(on.plural),
    sentence: () => ({ done: '' }),
    examples: body?.examples ?? [{}],
    allowed: [],
    changes: [],
  }
  return operation as unknown as DeclaredOperation<R, N, string, M>
}

/** The value of a field whose name is known only at run time. */
export const valueIn = (thing: object, name: string): unknown => (thing as Readonly<Record<string, unknown>>)[name]

const GROUPED = [ownField('')]

/** The names of parameters that are fields: those of added fields are listed. */
export const paramNames = (params: Params): readonly string[] => memberEntries(GROUPED, params).map(([name]) => name)

/** A rule that a thing meets or not, and the reason why not. */
export interface Rule<T> {
  readonly meets: (thing: T, now: string) => boolean
  readonly reason: (thing: T) => Reason
}

/** The reason of the first rule that the thing does not meet. */
export function whyNot<T>(rules: readonly Rule<T>[], thing: T, now: string): Reason | undefined {
  return rules.find((rule) => !rule.meets(thing, now))?.reason(thing)
}
