import type { User } from '../model/nouns/user/user.ts'
import type { KnownCaller } from '../store/port/accounts.ts'
import type { Role } from '../values/role.ts'

/** A user who calls without a session or a key. */
export const callerOf = (
  { name, fullName, lastSeenAt: seenAt }: User,
  role: Role,
  by: 'password' | 'token',
): KnownCaller => ({
  name,
  role,
  user: name,
  by,
  key: null,
  endsAt: null,
  session: null,
  signedInAt: null,
  fullName,
  seenAt,
})
