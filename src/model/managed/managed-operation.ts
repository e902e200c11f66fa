import type { Fault } from '../../values/faults/fault.ts'
import { checkGuard, type Guard, type State } from '../../values/guard.ts'
import type { Json } from '../../values/kinds/kind.ts'
import { type Members, readMembers, type ValuesOf } from '../../values/members.ts'
import type { Role } from '../../values/role.ts'
import type { Schema } from '../schema.ts'
import type { Author } from '../user/audit.ts'
import type { ManagedName, ManagedRefusal } from './refusal.ts'

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

/** What is asked for. Plain data, because it crosses threads. */
export interface ManagedIntent {
  readonly on: ManagedName
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

/**
 * Something that can be done with what is managed: users, keys, sessions, webhooks and deliveries. Unlike other things
 * they have no commands, no doors and no events in the feed: what is done with them is told by the audit. `F` is what
 * the store knows before, `M` the parameters, `P` what was prepared, `T` what the store keeps. decisions/0033
 */
export interface ManagedOperation<F = unknown, M extends Members = Members, P = unknown, T = unknown> {
  readonly on: ManagedName
  readonly name: string
  readonly title: string
  readonly params: (schema: Schema) => M
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
}

/** Checks a declaration against the types of its parts. */
export const defineManaged = <F, M extends Members, P, T>(
  operation: ManagedOperation<F, M, P, T>,
): ManagedOperation<F, M, P, T> => operation

export type ManagedVerdict =
  | { readonly kind: 'refused'; readonly refusal: ManagedRefusal }
  /** Nothing is wrong so far: what the operation needs from outside may be prepared. */
  | { readonly kind: 'prepare'; readonly facts: unknown; readonly values: unknown }
  | { readonly kind: 'apply'; readonly facts: unknown; readonly values: unknown; readonly thing: unknown }

/** Decides an intent. Pure. Rights → guard → parameters → preparation → state → effect; the store finds the target. */
export function decideManaged(
  operation: ManagedOperation,
  { params, guard, manager, ...intent }: ManagedIntent,
  facts: unknown,
  schema: Schema,
  now: string,
): ManagedVerdict {
  const read = readMembers(operation.params(schema), params)
  const denied = operation.denied?.(facts, 'values' in read ? read.values : {}, manager)
  if (denied !== undefined) return { kind: 'refused', refusal: denied }
  const required = guard.required && operation.demandsState === true
  const stale = checkGuard({ ...guard, required }, operation.state?.(facts))
  if (stale !== undefined) return { kind: 'refused', refusal: stale }
  const faults = 'faults' in read ? read.faults : (operation.check?.(read.values, facts, manager, now) ?? [])
  if ('faults' in read || faults.length > 0) return { kind: 'refused', refusal: { code: 'invalid', faults } }
  const { values } = read
  if (operation.isPrepared && !('prepared' in intent)) return { kind: 'prepare', facts, values }
  const effect = { values, prepared: intent.prepared, now }
  const refusal = operation.refused?.(facts, effect)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  return { kind: 'apply', facts, values, thing: operation.apply(facts, effect) }
}
