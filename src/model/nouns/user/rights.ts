import type { Caller } from '../../../values/role.ts'
import type { Refusal } from '../../declaration/refusal.ts'
import { proofMembers } from './password.ts'
import type { User } from './user.ts'

export const isSelf = (of: Pick<User, 'name'> | null, { user = null }: Pick<Caller, 'user'>): boolean =>
  of !== null && user === of.name

/**
 * A user's access is changed by the person, not by a program with their key or token: otherwise a key lent for a day
 * could renew itself, and a leaked key outlive its withdrawal. decisions/0054
 */
export function byProgram(user: Pick<User, 'name'> | null, caller: Caller): Refusal | undefined {
  const isProgram = caller.by === 'key' || caller.by === 'token'
  return isProgram && isSelf(user, caller) ? { code: 'denied', why: 'program' } : undefined
}

/** Parts of operations for the person only: with their password, if the sign-in is too long ago. */
export const proving = {
  prepares: true,
  params: () => proofMembers,
  body: { name: 'Proof', description: 'One’s own password, where the sign-in is more than ten minutes ago.' },
} as const
