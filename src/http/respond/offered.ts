import type { Resource } from '../../model/declaration/schema.ts'
import { mayChange } from '../../model/intent/caller.ts'
import { grantsFor } from '../../model/intent/grants.ts'
import { mayDoWith } from '../../queries/parse/sight.ts'
import type { Stored } from '../../store/port/desk.ts'
import { mayOnlyRead } from '../../values/role.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Offered } from './documents.ts'

/** The operations that are offered to a caller with a thing. */
export function offeredTo(call: Pick<Call, 'role' | 'desk'>, resource: Resource, thing: Stored): Offered {
  const { caller } = call.desk
  if (mayOnlyRead(call) || !mayChange(resource, thing, caller)) return 'none'
  if (caller === undefined || grantsFor(resource, caller) === undefined) return 'all'
  return (operation) => mayDoWith(caller, operation, thing.json)
}
