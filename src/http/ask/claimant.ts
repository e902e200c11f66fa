import type { Intent } from '../../model/perform/intent.ts'
import type { Claimant } from '../../model/perform/privacy.ts'
import type { Call } from '../endpoint.ts'

/** Whose things a call may see and change; undefined where everything is allowed. */
export const claimantOf = ({ caller, role }: Pick<Call, 'caller' | 'role'>): Claimant | undefined =>
  caller === null ? undefined : { name: caller.user ?? caller.name, isAdmin: role === 'admin' }

/** Who a change is by, as every intent says it. */
export function doneBy(call: Pick<Call, 'actor' | 'caller' | 'role'>): Pick<Intent, 'actor' | 'claimant'> {
  const claimant = claimantOf(call)
  return { actor: call.actor, ...(claimant && { claimant }) }
}
