import { mayDo } from '../../values/role.ts'
import { type Caller, mayChange, roleNeeded } from '../intent/caller.ts'
import type { Verdict } from '../intent/intent.ts'
import type { Refusal } from '../refusal.ts'
import type { Thing } from '../resource.ts'
import type { Operation, Resource } from '../schema.ts'
import { type Aim, refuse } from './step.ts'

/** The caller may do the operation with this thing. */
export function rights(aim: Aim): Aim | Verdict {
  const { content, before } = aim
  const refusal = denial(content.intent.caller, content.resource, content.operation, before)
  return refusal === undefined ? aim : refuse(refusal)
}

/** Why the caller may not do an operation with a thing, or update its attributes; undefined if they may. */
export function denial(
  caller: Caller | undefined,
  resource: Resource,
  operation: Operation | undefined,
  thing: Thing,
): Refusal | undefined {
  if (caller === undefined) return undefined
  const needed = roleNeeded(resource, operation)
  if (!mayDo(caller, needed)) return { code: 'needs-role', needed, actor: caller.name, role: caller.role }
  return mayChange(resource, thing, caller) ? undefined : { code: 'not-owner', resource: resource.name, id: thing.id }
}
