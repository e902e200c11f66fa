import type { Fault } from '../../values/faults/fault.ts'
import { notBefore } from '../../values/kinds/time.ts'
import type { AuditNote } from '../managed/managed-operation.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import type { ManagedRefusal } from '../managed/refusal.ts'
import { valueIn } from '../operation.ts'
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

/** A user and the facts for a decision, read under a lock. */
export interface KnownUser {
  readonly user: StoredUser
  /** All enabled admins, and whether they have a password, or an identity at a provider. */
  readonly admins: readonly { readonly name: string; readonly signsIn: boolean }[]
  /** The password's PHC string; null if none was set. */
  readonly hash: string | null
  /** The names of their keys; looked up if they are removed with the user. */
  readonly keys: readonly string[]
}

/** The prepared part of a new user: a password, a link to set one, or their identity at a provider. */
export interface PreparedUser {
  readonly hash: string | null
  readonly invitation?: Invitation
  readonly identity?: Identity
}

/** A one-time link with which a user sets a password. */
export interface Invitation {
  readonly hash: string
  readonly createdAt: string
  readonly endsAt: string
}

/** A person at an OpenID provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** A new password, and the verified old one, if it was required: it must still be the current one. */
export interface PreparedPassword {
  readonly hash: string
  readonly before?: string | null
}

export interface NewUserFacts {
  /** Known for a dry run; otherwise the write itself finds out. */
  readonly isTaken: boolean
}

const create = defineManaged({
  on,
  name: 'create',
  to: 'nothing',
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
    invited: true,
    lastSeenAt: null,
  }),
  audit: {
    'user-created': { title: 'User added', of: ({ name, role }) => ({ user: name, detail: role }) },
    'user-invited': {
      title: 'User invited',
      of({ name }, _facts, { prepared }) {
        const { invitation } = prepared as PreparedUser
        return invitation && { user: name, detail: `until ${invitation.endsAt}` }
      },
    },
  },
})

/** The first user closes an open service, and only an admin could then add another. */
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
  audit: {
    'role-changed': {
      title: 'Role changed',
      of: (after, { user: before }) =>
        after.role === before.role ? undefined : { user: after.name, detail: `from ${before.role} to ${after.role}` },
    },
    'user-disabled': {
      title: 'User disabled',
      of: (after, { user: before }) => (after.disabled && !before.disabled ? { user: after.name } : undefined),
    },
    'user-enabled': {
      title: 'User enabled',
      of: (after, { user: before }) => (before.disabled && !after.disabled ? { user: after.name } : undefined),
    },
    'user-changed': {
      title: 'User changed',
      of(after, { user: before }) {
        const others = differing(before, after).filter((name) => name !== 'role' && name !== 'disabled')
        return others.length === 0 ? undefined : { user: after.name, detail: others.join(', ') }
      },
    },
  },
})

const changed = (
  user: StoredUser,
  { password: _proof, ...to }: UserPatch & { readonly password?: string },
): StoredUser => ({ ...user, ...to })

const differing = (before: User, after: User): readonly string[] =>
  Object.keys(userPatch).filter((name) => valueIn(before, name) !== valueIn(after, name))

/**
 * The last admin who can sign in can be neither demoted nor removed; if no admin can sign in, the last of all, who may
 * have an invitation.
 */
function lastAdmin({ user, admins }: KnownUser, after?: User): ManagedRefusal | undefined {
  const able = admins.filter(({ signsIn }) => signsIn)
  const [only, ...others] = able.length > 0 ? able : admins
  const isLast = only?.name === user.name && others.length === 0
  if (!isLast || (after?.role === 'admin' && !after.disabled)) return undefined
  return { code: 'last-admin', user: user.name }
}

/** A changed email may give access to somebody else. */
export const changesAccess = (user: User, { email }: { readonly email?: string | null }): boolean =>
  email !== undefined && email !== user.email

const remove = defineManaged({
  on,
  name: 'remove',
  removes: true,
  title: 'Remove a user',
  params: () => ({}),
  state: ({ user }: KnownUser) => user,
  demandsState: true,
  refused: (facts: KnownUser) => lastAdmin(facts),
  apply: ({ user }: KnownUser) => user,
  audit: {
    'key-withdrawn': { title: 'Key withdrawn', of: ({ name }, { keys }) => keys.map((key) => ({ user: name, key })) },
    'user-removed': { title: 'User removed', of: about },
  },
})

/** The entry contains only the user. */
function about({ name }: User): AuditNote {
  return { user: name }
}

/** Operations that do not change the user's fields. */
const beside = { on, state: ({ user }: KnownUser) => user, apply: ({ user }: KnownUser) => user } as const

/** A user also gives their old password: an unattended browser is not enough. */
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
  // A verified old password that was changed meanwhile proves nothing.
  refused({ hash }: KnownUser, { prepared }) {
    const { before = hash } = prepared as PreparedPassword
    return before === hash ? undefined : { code: 'password-changed' }
  },
  audit: { 'password-set': { title: 'Password set', of: about } },
})

const invite = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'invite',
  title: 'Give a user a link to set a password',
  audit: {
    'user-invited': {
      title: 'User invited',
      of: ({ name }, _facts, { prepared }) => ({ user: name, detail: `until ${(prepared as Invitation).endsAt}` }),
    },
  },
})

const openCalendar = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'openCalendar',
  title: 'Make the address of one’s calendar',
  // Nobody else sees the secret, whatever their role.
  denied: ({ user }: KnownUser, _values, manager) =>
    manager.by === null || isSelf(user, manager) ? byProgram(user, manager) : { code: 'denied', why: 'calendar' },
  audit: { 'calendar-opened': { title: 'Calendar address created', of: about } },
})

const revokeCalendar = defineManaged({
  ...beside,
  ...proving<KnownUser>(),
  name: 'revokeCalendar',
  title: 'Revoke the address of a calendar',
  audit: { 'calendar-revoked': { title: 'Calendar address revoked', of: about } },
})

const link = defineManaged({
  ...beside,
  ...personal<KnownUser>(),
  name: 'link',
  title: 'Link a user to the OpenID provider',
  params: () => ({ ...identityMembers, ...proofMembers }),
  body: { name: 'Identity', examples: [{ subject: '248289761001' }] },
  audit: {
    'user-linked': {
      title: 'Linked to the provider',
      of: ({ name }, _facts, { values: { subject } }) => ({ user: name, detail: subject.slice(0, 200) }),
    },
  },
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
