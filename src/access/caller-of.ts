import type { User } from '../model/nouns/user/user.ts'
import type { KnownCaller } from '../store/port/accounts.ts'
import { isRole, rankOf } from '../values/role.ts'

/** A user who calls without a session or a key. */
export const callerOf = (
  { name, fullName, lastSeenAt: seenAt, role: own }: User,
  role: string,
  by: 'password' | 'token',
): KnownCaller => ({
  name,
  role: rankOf(role),
  ...(isRole(role) && isRole(own) ? {} : { own: role === own ? [own] : [own, role] }),
  user: name,
  by,
  key: null,
  endsAt: null,
  session: null,
  signedInAt: null,
  fullName,
  seenAt,
})
