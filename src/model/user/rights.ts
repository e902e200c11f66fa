import type { Manager } from '../managed/managed-operation.ts'
import type { ManagedRefusal } from '../managed/refusal.ts'
import { proofMembers } from './password.ts'
import type { User } from './user.ts'

export const isSelf = (of: Pick<User, 'name'> | null, { user }: Pick<Manager, 'user'>): boolean =>
  of !== null && user === of.name

/**
 * A user's access is changed by the person, not by a program with their key or token: otherwise a key lent for a day
 * could renew itself, and a leaked key outlive its withdrawal. decisions/0054
 */
export function byProgram(user: Pick<User, 'name'> | null, manager: Manager): ManagedRefusal | undefined {
  const isProgram = manager.by === 'key' || manager.by === 'token'
  return isProgram && isSelf(user, manager) ? { code: 'denied', why: 'program' } : undefined
}

/** Operations for the person only: with their password, if the sign-in is too long ago. */
export const personal = <F extends { readonly user: User | null }>() =>
  ({
    denied: ({ user }: F, _values: unknown, manager: Manager) => byProgram(user, manager),
    isPrepared: true,
  }) as const

/** The same for an operation without other parameters. */
export const proving = <F extends { readonly user: User | null }>() =>
  ({
    ...personal<F>(),
    params: () => proofMembers,
    body: { name: 'Proof', description: 'One’s own password, where the sign-in is more than ten minutes ago.' },
  }) as const
