import type { StoredUser } from '../../../model/nouns/user/user.ts'
import { ME } from '../../../model/nouns/user/user.ts'
import { NOBODY } from '../../../queries/parse/caller.ts'
import type { Call } from '../../contract/endpoint.ts'
import { forbidden, noSuch, type Problem, wrongParameter } from '../../contract/problems/problem.ts'

/** Shared by operations that everybody may do for themselves, and admins for all. */
export const own = { role: 'reader', offers: 'resource' } as const
export const group = 'Users'

export const isAdmin = ({ role }: Pick<Call, 'role'>): boolean => role === null || role === 'admin'

type Named = { readonly name: string } | { readonly problem: Problem }

/** Admins see all users, others only themselves. Others do not learn whether a user exists. */
export async function findUser(call: Call): Promise<{ readonly user: StoredUser } | { readonly problem: Problem }> {
  const named = ownName(call)
  if ('problem' in named) return named
  const { name } = named
  const account = await call.service.store.accounts.find(name)
  return account === undefined ? { problem: noUser(name) } : { user: account.user }
}

export function ownName(call: Call): Named {
  const named = nameIn(call)
  if ('problem' in named || call.caller?.user === named.name || isAdmin(call)) return named
  return { problem: forbidden('admin', call) }
}

/** The name that an address names: `me` is the caller's user. */
export function nameIn({ params, caller }: Call): Named {
  const { name = '' } = params
  if (name !== ME) return { name }
  const user = caller?.user ?? null
  if (user !== null) return { name: user }
  return { problem: wrongParameter('name', NOBODY) }
}

export const noUser = (name: string): Problem => ({ code: 'user-not-found', detail: noSuch('user', name) })
