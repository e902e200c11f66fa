import type { Author } from '../../../model/user/audit.ts'
import { ME } from '../../../model/user/user.ts'
import { NOBODY } from '../../../queries/parse/caller.ts'
import type { StoredUser } from '../../../store/port/accounts.ts'
import { actorOf } from '../../ask/done-by.ts'
import { type Call, JSON_OR_FORM } from '../../contract/endpoint.ts'
import { forbidden, type Problem, refusalProblem, wrongParameter } from '../../contract/problems/problem.ts'

/** Shared by what everybody may do with themselves, and admins with all. */
export const own = { role: 'reader', offers: 'resource' } as const
export const writingOwn = { ...own, method: 'POST', reads: JSON_OR_FORM, parameters: ['dry-run'] } as const
export const deletingOwn = { ...own, method: 'DELETE', parameters: ['dry-run'] } as const
export const group = 'Users'

/** The user whom an address names, and whether it is the caller. */
export interface AddressedUser {
  readonly user: StoredUser
  readonly isSelf: boolean
}

type FoundUser = AddressedUser | { readonly problem: Problem }

export const isAdmin = ({ role }: Pick<Call, 'role'>): boolean => role === null || role === 'admin'

/** Admins see all, everyone themselves. Whether another exists is not told to others. */
export async function findUser(call: Call): Promise<FoundUser> {
  const named = nameIn(call)
  if ('problem' in named) return named
  const { name } = named
  const isSelf = call.caller?.user === name
  if (!isSelf && !isAdmin(call)) return { problem: forbidden('admin', call) }
  const account = await call.service.store.accounts.find(name)
  if (account === undefined) return { problem: refusalProblem({ code: 'user-not-found', user: name }) }
  return { user: account.user, isSelf }
}

/** The name that an address names: `me` is the caller's user. */
export function nameIn({ params, caller }: Call): { readonly name: string } | { readonly problem: Problem } {
  const { name = '' } = params
  if (name !== ME) return { name }
  const user = caller?.user ?? null
  if (user !== null) return { name: user }
  return { problem: wrongParameter('name', NOBODY) }
}

/** Who changes something, for the audit. */
export const authorOf = (call: Call): Author => ({ ...actorOf(call), address: call.peer.address })
