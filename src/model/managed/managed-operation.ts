import type { Fault } from '../../values/faults/fault.ts'
import type { Guard, State } from '../../values/guard.ts'
import type { Json } from '../../values/kinds/kind.ts'
import type { Members, ValuesOf } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import type { ConditionFaults } from '../webhook/condition.ts'
import type { ManagedRefusal } from './refusal.ts'

/** The author of a change and their address, as for an event. */
export interface Author {
  readonly actor: string | null
  /** The name of the used key. */
  readonly key?: string | null | undefined
  readonly address: string | null
}

/** The subject of an audit entry. */
export interface AuditNote {
  readonly user?: string | null
  readonly key?: string | null
  readonly detail?: string | null
}

/** The caller, as far as a decision depends on it. All is null in an open service. */
export interface Manager {
  /** The user, or a key without a user. */
  readonly actor: string | null
  readonly user: string | null
  /** The name of the calling key. */
  readonly key: string | null
  readonly role: Role | null
  readonly by: 'password' | 'session' | 'key' | 'token' | null
}

/** The person at the command line, or the service itself. */
export const OPERATOR: Manager = { actor: null, user: null, key: null, role: 'admin', by: null }

/** A requested change of a managed thing. Plain data, because it crosses threads. */
export interface ManagedIntent {
  /** The name of the resource. */
  readonly on: string
  readonly operation: string
  /** The names and ids in the address. */
  readonly target: { readonly [part: string]: string }
  readonly params: unknown
  readonly guard: Guard
  readonly dryRun: boolean
  readonly manager: Manager
  readonly author: Author
  /** The result of the preparation; absent before it. */
  readonly prepared?: unknown
}

/** The facts for a check of parameters, besides the state. */
export interface CheckFacts {
  readonly now: string
  readonly conditionFaults: ConditionFaults
}

/** The input of an effect in addition to the state. */
export interface Effect<V, P> {
  readonly values: V
  readonly prepared: P
  readonly now: string
}

/** The audit entry of an operation; undefined if it did not take place. */
export interface AuditEntryOf<F, V, P, T> {
  /** The English text for people. */
  readonly title: string
  of(kept: T, facts: F, effect: Effect<V, P>): readonly AuditNote[] | AuditNote | undefined
}

/**
 * An operation on a managed thing. `F` are the store's facts, `M` the parameters, `P` the prepared values, `T` the
 * stored result. decisions/0033
 */
export interface DeclaredManagedOperation<F = unknown, M extends Members = Members, P = unknown, T = unknown> {
  readonly on: string
  readonly name: string
  readonly title: string
  /** Set for creations. */
  readonly to?: 'nothing'
  /** Whether it removes the thing. */
  readonly removes?: true
  /** The list that a page's form is sent to, or at which the operation is requested. */
  readonly noun?: string
  /** The secret field whose value is drawn for it, and shown in its answer alone. */
  readonly draws?: string
  /** It gets a `Schema`. */
  readonly params: (schema: never) => M
  /** The name of the body's schema, if it has members, and its description. */
  readonly body?: { readonly name: string; readonly examples?: readonly Json[]; readonly description?: string }
  /** The state that a client can name; a new thing has none. */
  state?(facts: F): State
  /** Whether it is required with REQUIRE_IF_MATCH. The forms of most pages send none. */
  readonly demandsState?: true
  /** Why the caller may not do it; parameters with faults are absent. */
  denied?(facts: F, values: Partial<ValuesOf<M>>, manager: Manager): ManagedRefusal | undefined
  /** Faults of the parameters beyond those of their kinds. */
  check?(values: ValuesOf<M>, facts: F, manager: Manager, checked: CheckFacts): readonly Fault[]
  /** Set if something happens outside first: checking a password, hashing, resolving a name, drawing a secret. */
  readonly isPrepared?: true
  /** Why the state does not allow it. */
  refused?(facts: F, effect: Effect<ValuesOf<M>, P>): ManagedRefusal | undefined
  apply(facts: F, effect: Effect<ValuesOf<M>, P>): T
  /** The entries of the audit, by event, in order. */
  readonly audit?: { readonly [event: string]: AuditEntryOf<F, ValuesOf<M>, P, T> }
}

/** The prepared values of a thing that needs only its declaration. */
export interface PreparedThing {
  readonly id: string
  readonly secret?: string | undefined
}

/** Checks a declaration against the types of its parts. */
export const defineManaged = <F, M extends Members, P, T>(
  operation: DeclaredManagedOperation<F, M, P, T>,
): DeclaredManagedOperation<F, M, P, T> => operation
