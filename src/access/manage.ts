import type { Author } from '../model/user/audit.ts'
import { MOST_KEYS } from '../model/user/key.ts'
import { newPassword } from '../model/user/password.ts'
import { newActorName, type User } from '../model/user/user.ts'
import type { Accounts } from '../store/port/accounts.ts'
import type { Role } from '../values/role.ts'
import { hashPassword } from './password.ts'
import { newSecret, secretHash } from './secrets.ts'

interface NewCredential {
  readonly name: string
  readonly role: Role
  readonly now: string
}

/** A user without anything but a name and a role. */
export const plainUser = ({ name, role, now }: NewCredential): User => ({
  name,
  fullName: null,
  email: null,
  role,
  locale: null,
  timeZone: null,
  disabled: false,
  createdAt: now,
  updatedAt: now,
  revision: 1,
  lastSeenAt: null,
})

export async function addUser(
  accounts: Accounts,
  { password, ...user }: NewCredential & { readonly password: string },
): Promise<{ readonly added: string } | { readonly fault: string }> {
  const name = newActorName.read(user.name)
  if ('fault' in name) return { fault: `the name ${name.fault}` }
  const good = newPassword.read(password)
  if ('fault' in good) return { fault: `the password ${good.fault}` }
  const account = { user: plainUser({ ...user, name: name.value }), hash: await hashPassword(good.value) }
  return (await accounts.add(account, operator)) ? { added: name.value } : taken(name.value)
}

/** Returns the key, which cannot be read again: only its hash is kept. */
export async function addKey(
  accounts: Accounts,
  key: NewCredential & { readonly user?: string; readonly endsAt?: string },
): Promise<{ readonly key: string } | { readonly fault: string }> {
  const name = newActorName.read(key.name)
  if ('fault' in name) return { fault: `the name ${name.fault}` }
  const made = newKey()
  const { role, now: createdAt, user = null, endsAt = null } = key
  const added = await accounts.addKey({ name: name.value, user, role, endsAt, createdAt }, secretHash(made), operator)
  if (added === 'no user') return { fault: `there is no user ${user}` }
  if (added === 'too many') return { fault: `${user} has ${MOST_KEYS} keys, which is the most` }
  if (added === 'added') return { key: made }
  return user === null ? taken(name.value) : { fault: `${user} has a key called ${name.value} already` }
}

export const newKey = (): string => `dd_${newSecret()}`

/** Whoever has the command line. */
export const operator: Author = { actor: null, address: null }

const taken = (name: string) => ({ fault: `there is already a user or key called ${name}` })
