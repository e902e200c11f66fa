import { checkGuard } from '../../values/guard.ts'
import { readMembers } from '../../values/members.ts'
import { valueIn } from '../operation.ts'
import type { ManagedOperation, ManagedResource, Schema } from '../schema.ts'
import type { CheckFacts, Effect, ManagedIntent, Manager } from './managed-operation.ts'
import type { ManagedRefusal } from './refusal.ts'

export function managedNamed({ managed }: Schema, name: string): ManagedResource {
  const resource = managed.find((each) => each.name === name)
  if (resource === undefined) throw new Error(`nothing that is managed is called ${name}`)
  return resource
}

/** Finds the operation of an intent. */
export function managedOperation(schema: Schema, { on, operation }: Pick<ManagedIntent, 'on' | 'operation'>) {
  const found = managedNamed(schema, on).operations.find(({ name }) => name === operation)
  if (found === undefined) throw new Error(`nobody knows how to ${operation} a ${on}`)
  return found
}

/** Whether the caller may see a thing. Without users, everybody sees everything. */
export function isTheirs({ privacy }: ManagedResource, thing: object, { actor, role }: Manager): boolean {
  if (privacy === undefined) return true
  // In an open service nobody has a name.
  if (valueIn(thing, privacy.owner) === (actor ?? '')) return true
  return !privacy.keepsFromAdmins && (role === null || role === 'admin')
}

export type ManagedVerdict =
  | { readonly kind: 'refused'; readonly refusal: ManagedRefusal }
  /** Nothing is wrong so far: the operation's outside part may be prepared. */
  | { readonly kind: 'prepare'; readonly facts: unknown; readonly values: unknown }
  | { readonly kind: 'apply'; readonly effect: Effect<unknown, unknown>; readonly thing: unknown }

/** Decides an intent. Pure. Rights → guard → parameters → preparation → state → effect; the store finds the target. */
export function decideManaged(
  operation: ManagedOperation,
  { params, guard, manager, ...intent }: ManagedIntent,
  facts: unknown,
  checked: CheckFacts,
): ManagedVerdict {
  const read = readMembers(operation.params, params)
  const denied = operation.denied?.(facts, 'values' in read ? read.values : {}, manager)
  if (denied !== undefined) return { kind: 'refused', refusal: denied }
  const required = guard.required && operation.demandsState === true
  const stale = checkGuard({ ...guard, required }, operation.state?.(facts))
  if (stale !== undefined) return { kind: 'refused', refusal: stale }
  const faults = 'faults' in read ? read.faults : (operation.check?.(read.values, facts, manager, checked) ?? [])
  if ('faults' in read || faults.length > 0) return { kind: 'refused', refusal: { code: 'invalid', faults } }
  const { values } = read
  const isPrepared = operation.isPrepared ?? operation.draws !== undefined
  if (isPrepared && !('prepared' in intent)) return { kind: 'prepare', facts, values }
  const effect = { values, prepared: intent.prepared, now: checked.now }
  const refusal = operation.refused?.(facts, effect)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  return { kind: 'apply', effect, thing: operation.apply(facts, effect) }
}
