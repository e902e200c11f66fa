import type { DoneBy } from '../../model/event.ts'
import type { Intent } from '../../model/perform/intent.ts'
import type { Claimant } from '../../model/perform/privacy.ts'
import type { Call } from '../contract/endpoint.ts'

/** Whose things a call may see and change; undefined where everything is allowed. */
export const claimantOf = ({ caller, role }: Pick<Call, 'caller' | 'role'>): Claimant | undefined =>
  caller === null ? undefined : { name: caller.name, isAdmin: role === 'admin' }

/** The user who calls, and the key with which a program does it. */
export function actorOf({ actor, caller }: Pick<Call, 'actor' | 'caller'>): DoneBy {
  const isUsersKey = caller !== null && caller.key !== null && caller.user !== null
  return isUsersKey ? { actor, key: caller.key } : { actor }
}

/** Who a change is by, as every intent says it. */
export function doneBy(call: Pick<Call, 'actor' | 'caller' | 'role'>): DoneBy & Pick<Intent, 'claimant'> {
  const claimant = claimantOf(call)
  return { ...actorOf(call), ...(claimant && { claimant }) }
}
