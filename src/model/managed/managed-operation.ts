import type { Fault } from '../../values/faults/fault.ts'
import type { Guard, State } from '../../values/guard.ts'
import type { Json } from '../../values/kinds/kind.ts'
import type { Members, ValuesOf } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import type { ManagedRefusal } from './refusal.ts'

/** Who changes something, and from where; like an event's author. */
export interface Author {
  readonly actor: string | null
  /** The name of the key that was used. */
  readonly key?: string | null | undefined
  readonly address: string | null
}

/** What an entry of the audit is about. */
export interface AuditNote {
  readonly user?: string | null
  readonly key?: string | null
  readonly detail?: string | null
}

/** Who asks, as far as a decision depends on it. All is null where the service is open. */
export interface Manager {
  /** The user, or a key that belongs to none. */
  readonly actor: string | null
  readonly user: string | null
  /** The name of the key that asks. */
  readonly key: string | null
  readonly role: Role | null
  readonly by: 'password' | 'session' | 'key' | 'token' | null
}

/** Whoever has the command line, or the service itself. */
export const OPERATOR: Manager = { actor: null, user: null, key: null, role: 'admin', by: null }

/** What is asked for. Plain data, because it crosses threads. */
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
  /** What was done before the decision; absent as long as nobody asked for it. */
  readonly prepared?: unknown
}

/** What an effect depends on besides the state. */
export interface Effect<V, P> {
  readonly values: V
  readonly prepared: P
  readonly now: string
}

/** What the audit tells of something that was done; nothing where that did not happen. */
export interface AuditEntryOf<F, V, P, T> {
  /** What people read, in English. */
  readonly title: string
  of(kept: T, facts: F, effect: Effect<V, P>): readonly AuditNote[] | AuditNote | undefined
}

/**
 * Something that can be done with what is managed. `F` is what the store knows before, `M` the parameters, `P` what was
 * prepared, `T` what the store keeps. decisions/0033
 */
export interface DeclaredManagedOperation<F = unknown, M extends Members = Members, P = unknown, T = unknown> {
  readonly on: string
  readonly name: string
  readonly title: string
  /** Set where nothing is there before. */
  readonly to?: 'nothing'
  /** Whether the thing is gone then. */
  readonly removes?: true
  /** The list that a page's form is sent to, or that the operation is asked for in. */
  readonly noun?: string
  /** The secret field whose value is drawn for it, and shown in its answer alone. */
  readonly draws?: string
  /** It is given a `Schema`. */
  readonly params: (schema: never) => M
  /** The name of the body's schema, where it has members, and what is said of it. */
  readonly body?: { readonly name: string; readonly examples?: readonly Json[]; readonly description?: string }
  /** The state that a client can name; a new thing has none. */
  state?(facts: F): State
  /** Whether it must be named where IF_MATCH is required. The forms of most pages name none. */
  readonly demandsState?: true
  /** Why the one who asks may not do it; parameters with faults are as if they were not there. */
  denied?(facts: F, values: Partial<ValuesOf<M>>, manager: Manager): ManagedRefusal | undefined
  /** Faults of the parameters beyond those of their kinds. */
  check?(values: ValuesOf<M>, facts: F, manager: Manager, now: string): readonly Fault[]
  /** Set where something is done outside before: proving oneself, hashing, resolving a name, drawing a secret. */
  readonly isPrepared?: true
  /** Why the state does not allow it. */
  refused?(facts: F, effect: Effect<ValuesOf<M>, P>): ManagedRefusal | undefined
  apply(facts: F, effect: Effect<ValuesOf<M>, P>): T
  /** The entries of the audit, by their event, in the order in which they are written. */
  readonly audit?: { readonly [event: string]: AuditEntryOf<F, ValuesOf<M>, P, T> }
}

/** What is drawn for a thing that needs no more than its declaration. */
export interface PreparedThing {
  readonly id: string
  readonly secret?: string | undefined
}

/** Checks a declaration against the types of its parts. */
export const defineManaged = <F, M extends Members, P, T>(
  operation: DeclaredManagedOperation<F, M, P, T>,
): DeclaredManagedOperation<F, M, P, T> => operation
