import type { Fault } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import { decideUserChange, type UserFacts, type UserPatch } from './change.ts'
import { passwordMembers, proofMembers } from './password.ts'
import { byProgram, isSelf, personal, proving } from './rights.ts'
import { ADMINS_OWN, identityMembers, newUserMembers, type StoredUser, type User, userPatch } from './user.ts'

const on = 'user'
/** Any state will do: the guard was checked before. */
const unguarded: Guard = { required: false }

export interface KnownUser extends Pick<UserFacts, 'admins'> {
  readonly user: StoredUser
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
  refused(facts: KnownUser, { values, now }) {
    const verdict = changed(facts, values, now)
    return 'refused' in verdict ? verdict.refused : undefined
  },
  apply(facts: KnownUser, { values, now }): StoredUser {
    const verdict = changed(facts, values, now)
    return 'save' in verdict ? verdict.save : facts.user
  },
})

/** A changed email may give access to somebody else. */
export const changesAccess = (user: User, { email }: { readonly email?: string | null }): boolean =>
  email !== undefined && email !== user.email

const changed = (
  facts: KnownUser,
  { password: _proof, ...to }: UserPatch & { readonly password?: string },
  now: string,
) => decideUserChange({ kind: 'change', name: facts.user.name, to, guard: unguarded, dryRun: false }, { ...facts, now })

const remove = defineManaged({
  on,
  name: 'remove',
  title: 'Remove a user',
  params: () => ({}),
  state: ({ user }: KnownUser) => user,
  demandsState: true,
  refused(facts: KnownUser, { now }) {
    const removal = { kind: 'remove', name: facts.user.name, guard: unguarded, dryRun: false } as const
    const verdict = decideUserChange(removal, { ...facts, now })
    return 'refused' in verdict ? verdict.refused : undefined
  },
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
