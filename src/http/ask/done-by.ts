import type { DoneBy } from '../../model/event.ts'
import type { Intent } from '../../model/perform/intent.ts'
import type { Call } from '../contract/endpoint.ts'

/** The calling user, and the key that a program used. */
export function actorOf({ actor, caller }: Pick<Call, 'actor' | 'caller'>): DoneBy {
  const isUsersKey = caller !== null && caller.key !== null && caller.user !== null
  return isUsersKey ? { actor, key: caller.key } : { actor }
}

/** The actor of a change, for every intent. */
export function doneBy(call: Pick<Call, 'actor' | 'caller' | 'desk'>): DoneBy & Pick<Intent, 'claimant'> {
  const { caller: claimant } = call.desk
  return { ...actorOf(call), ...(claimant && { claimant }) }
}
