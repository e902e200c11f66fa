import type { Claimant } from '../../model/perform/privacy.ts'
import type { Call } from '../endpoint.ts'

/** Whose things a call may see and change; undefined where everything is allowed. */
export const claimantOf = ({ caller, role }: Pick<Call, 'caller' | 'role'>): Claimant | undefined =>
  caller === null ? undefined : { name: caller.user ?? caller.name, isAdmin: role === 'admin' }
