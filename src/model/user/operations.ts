import type { Fault } from '../../values/faults/fault.ts'
import { notBefore } from '../../values/kinds/time.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import type { ManagedRefusal } from '../managed/refusal.ts'
import { valueIn } from '../operation.ts'
import type { AuditEvent } from './audit.ts'
import { passwordMembers, proofMembers } from './password.ts'
import { byProgram, isSelf, personal, proving } from './rights.ts'
import {
  ADMINS_OWN,
  identityMembers,
  newUserMembers,
  type StoredUser,
  type User,
  type UserPatch,
  userPatch,
} from './user.ts'

const on = 'user'

/** A user and the state of affairs, read under a lock. */
export interface KnownUser {
  readonly user: StoredUser
  /** All enabled admins, and whether they have a password, or an identity at a provider. */
  readonly admins: readonly { readonly name: string; readonly signsIn: boolean }[]
  /** The password's PHC string; null if none was set. */
  readonly hash: string | null
}

export interface NewUserFacts {
  /** Known where it is a dry run; otherwise the write itself finds out. */
  readonly isTaken: boolean
}

const create = defineManaged({
  on,
  name: 'create',
  title: 'Add a user',
  params: () => newUserMembers,
  body: { name: 'NewUser', examples: [{ name: 'mila', fullName: 'Mila Sanz', role: 'editor' }] },
  check: (values, _facts: NewUserFacts, manager) => (manager.role === null ? firstUserFaults(values) : []),
  isPrepared: true,
  refused: ({ isTaken }: NewUserFacts, { values: { name } }) => (isTaken ? { code: 'name-taken', name } : undefined),
  apply: (_facts: NewUserFacts, { values: { password: _password, ...fields }, now }): User => ({
    ...fields,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    lastSeenAt: null,
  }),
})

/** The first user closes an open service, and nobody but an admin could add another then. */
function firstUserFaults({ role, disabled }: Pick<User, 'role' | 'disabled'>): readonly Fault[] {
  const faults: Fault[] = []
  if (role !== 'admin') faults.push({ code: 'first-user', with: { wants: 'admin' }, at: { pointer: '/role' } })
  if (disabled) faults.push({ code: 'first-user', with: { wants: 'enabled' }, at: { pointer: '/disabled' } })
  return faults
}

const change = defineManaged({
  on,
  name: 'change',
  title: 'Change a user',
  params: () => ({ ...userPatch, ...proofMembers }),
  body: { name: 'UserPatch', examples: [{ fullName: 'Mila Sanz', timeZone: 'Europe/Madrid' }] },
  denied({ user }: KnownUser, values, manager) {
    const denied = changesAccess(user, values) ? byProgram(user, manager) : undefined
    if (denied !== undefined || manager.role === null || manager.role === 'admin') return denied
    const isAdmins = ADMINS_OWN.some((name) => values[name] !== undefined && values[name] !== user[name])
    const { actor, role } = manager
    return isAdmins ? { code: 'needs-role', needed: 'admin', actor, role } : undefined
  },
  check: ({ password }, { user }: KnownUser, manager) =>
    password === undefined || isSelf(user, manager) ? [] : [{ code: 'unknown', at: { pointer: '/password' } }],
  state: ({ user }: KnownUser) => user,
  demandsState: true,
  isPrepared: true,
  refused: (facts: KnownUser, { values }) => lastAdmin(facts, changed(facts.user, values)),
  /** Without a difference there is no new revision. */
  apply({ user }: KnownUser, { values, now }): StoredUser {
    const after = changed(user, values)
    if (differing(user, after).length === 0) return user
    return {
      ...after,
      updatedAt: notBefore(user.updatedAt, now),
      revision: user.revision + 1,
      previousAt: user.updatedAt,
    }
  },
})

const changed = (
  user: StoredUser,
  { password: _proof, ...to }: UserPatch & { readonly password?: string },
): StoredUser => ({ ...user, ...to })

const differing = (before: User, after: User): readonly string[] =>
  Object.keys(userPatch).filter((name) => valueIn(before, name) !== valueIn(after, name))

/** The last admin stays one, and stays. Of those who can sign in; as long as nobody can, an invitation may be under way. */
function lastAdmin({ user, admins }: KnownUser, after?: User): ManagedRefusal | undefined {
  const able = admins.filter(({ signsIn }) => signsIn)
  const [only, ...others] = able.length > 0 ? able : admins
  const isLast = only?.name === user.name && others.length === 0
  if (!isLast || (after?.role === 'admin' && !after.disabled)) return undefined
  return { code: 'last-admin', user: user.name }
}

/** What is written down of a change. */
export function notesOf(
  before: User,
  after: User,
): readonly { readonly event: AuditEvent; readonly detail: string | null }[] {
  const changes = differing(before, after)
  const others = changes.filter((name) => name !== 'role' && name !== 'disabled')
  return [
    ...(changes.includes('role')
      ? [{ event: 'role-changed', detail: `from ${before.role} to ${after.role}` } as const]
      : []),
    ...(changes.includes('disabled')
      ? [{ event: after.disabled ? 'user-disabled' : 'user-enabled', detail: null } as const]
      : []),
    ...(others.length > 0 ? [{ event: 'user-changed', detail: others.join(', ') } as const] : []),
  ]
}

/** A changed email may give access to somebody else. */
export const changesAccess = (user: User, { email }: { readonly email?: string | null }): boolean =>
  email !== undefined && email !== user.email

const remove = defineManaged({
  on,
  name: 'remove',
  title: 'Remove a user',
  params: () => ({}),
  state: ({ user }: KnownUser) => user,
  demandsState: true,
  refused: (facts: KnownUser) => lastAdmin(facts),
  apply: ({ user }: KnownUser) => user,
})

/** What happens to a user besides their fields: they stay as they are. */
const beside = { on, state: ({ user }: KnownUser) => user, apply: ({ user }: KnownUser) => user } as const

/** Oneself gives the old password too: a browser that was left open is not enough. */
const setPassword = defineManaged({
  ...beside,
  ...personal<KnownUser>(),
  name: 'setPassword',
  title: 'Set a password',
  params: () => passwordMembers,
  body: {
    name: 'NewPassword',
    examples: [{ old: 'four words in a row', password: 'another four words, longer' }],
  },
})

const invite = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'invite',
  title: 'Give a user a link to set a password',
})

const openCalendar = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'openCalendar',
  title: 'Make the address of one’s calendar',
  // Nobody else is shown the secret, whatever their role is.
  denied: ({ user }: KnownUser, _values, manager) =>
    manager.by === null || isSelf(user, manager) ? byProgram(user, manager) : { code: 'denied', why: 'calendar' },
})

const revokeCalendar = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'revokeCalendar',
  title: 'Revoke the address of a calendar',
})

const link = defineManaged({
  ...beside,
  ...personal<KnownUser>(),
  name: 'link',
  title: 'Link a user to the OpenID provider',
  params: () => ({ ...identityMembers, ...proofMembers }),
  body: { name: 'Identity', examples: [{ subject: '248289761001' }] },
})

export const userOperations = {
  create,
  change,
  remove,
  setPassword,
  invite,
  openCalendar,
  revokeCalendar,
  link,
} as const
