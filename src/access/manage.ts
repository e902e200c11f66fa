import type { Author } from '../model/user/audit.ts'
import { MOST_KEYS } from '../model/user/key.ts'
import { newPassword } from '../model/user/password.ts'
import { newActorName, type User, type UserPatch } from '../model/user/user.ts'
import type { Accounts } from '../store/port/accounts.ts'
import type { ManagedOutcome } from '../store/port/managed.ts'
import type { Store } from '../store/port/store.ts'
import type { Fault } from '../values/faults/fault.ts'
import type { Role } from '../values/role.ts'
import { hashPassword } from './password.ts'
import { newSecret, secretHash } from './secrets.ts'

interface NewCredential {
  readonly name: string
  readonly role: Role
  readonly now: string
}

/** A user with only a name and a role. */
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
): Promise<{ readonly added: string } | { readonly fault: Fault }> {
  const name = newActorName.read(user.name)
  if ('fault' in name) return { fault: { ...name.fault, at: { pointer: '/name' } } }
  const good = newPassword.read(password)
  if ('fault' in good) return { fault: { ...good.fault, at: { pointer: '/password' } } }
  const account = { user: plainUser({ ...user, name: name.value }), hash: await hashPassword(good.value) }
  return (await accounts.add(account, operator)) ? { added: name.value } : taken(name.value, null)
}

/** Changes or removes a user for the operator or the provider, without asking for a password. */
export const manageUser = (
  { manage }: Pick<Store, 'manage'>,
  operation: 'change' | 'remove',
  name: string,
  params: UserPatch,
  author: Author,
): Promise<ManagedOutcome> =>
  manage({
    ...{ on: 'user', operation, target: { name }, params, guard: { required: false }, dryRun: false, author },
    manager: { actor: null, user: null, key: null, role: null, by: null },
    prepared: null,
  })

/** Returns the key, which cannot be read again: only its hash is stored. */
export async function addKey(
  accounts: Accounts,
  key: NewCredential & { readonly user?: string; readonly endsAt?: string },
): Promise<{ readonly key: string } | { readonly fault: Fault }> {
  const name = newActorName.read(key.name)
  if ('fault' in name) return { fault: { ...name.fault, at: { pointer: '/name' } } }
  const made = newKey()
  const { role, now: createdAt, user = null, endsAt = null } = key
  const added = await accounts.addKey({ name: name.value, user, role, endsAt, createdAt }, secretHash(made), operator)
  if (added === 'no user') return { fault: { code: 'no-user', with: { user }, at: {} } }
  if (added === 'too many') return { fault: { code: 'too-many-keys', with: { user, max: MOST_KEYS }, at: {} } }
  if (added === 'added') return { key: made }
  return taken(name.value, user)
}

export const newKey = (): string => `dd_${newSecret()}`

/** The person at the command line. */
export const operator: Author = { actor: null, address: null }

const taken = (name: string, user: string | null): { readonly fault: Fault } => ({
  fault: { code: 'taken', with: { name, ...(user !== null && { user }) }, at: {} },
})
