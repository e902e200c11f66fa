import type { Fault } from '../../../values/faults/fault.ts'
import type { Caller } from '../../../values/role.ts'
import type { AuditNote } from '../../declaration/audit-note.ts'
import { type DecidingFacts, defineAudited, valueIn } from '../../declaration/operation.ts'
import { inUse, type Refusal, type UsedBy } from '../../declaration/refusal.ts'
import { passwordMembers, proofMembers } from './password.ts'
import { byProgram, isSelf, proving } from './rights.ts'
import {
  ADMINS_OWN,
  identityMembers,
  newUserMembers,
  plainMembers,
  type User,
  type UserPatch,
  user,
  userPatch,
} from './user.ts'

/** The facts that the store knows in addition to a user, read under a lock. */
export interface UserFacts {
  /** All enabled admins, and whether they have a password, or an identity at a provider. */
  readonly admins: readonly { readonly name: string; readonly signsIn: boolean }[]
  /** The password's PHC string; null if none was set. */
  readonly hash: string | null
  /** The names of their keys; looked up if they are removed with the user. */
  readonly keys: readonly string[]
  /** The teams that they lead, which keep them from being removed. */
  readonly leads: readonly UsedBy[]
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

type Knowing<K, P = unknown> = DecidingFacts<User, K, P>

const create = defineAudited({
  on: user,
  name: 'create',
  role: 'admin',
  to: 'nothing',
  title: 'Add a user',
  params: ({ schema }) => newUserMembers(schema),
  body: { name: 'NewUser', examples: [{ name: 'mila', fullName: 'Mila Sanz', role: 'editor' }] },
  prepares: true,
  check: (fields, _now, { caller }) => (caller === undefined ? firstUserFaults(fields) : []),
  apply(_blank, { password: _password, ...fields }, _now, { known: { isTaken } }: Knowing<NewUserFacts>) {
    const { name } = fields
    return isTaken ? { refused: { code: 'name-taken', resource: 'user', name } } : { ...fields, invited: true }
  },
  audit: {
    'user-created': { title: 'User added', of: ({ name, role }) => ({ user: name, detail: role }) },
    'user-invited': {
      title: 'User invited',
      of({ name }, { prepared }: { readonly prepared: PreparedUser }) {
        const { invitation } = prepared
        return invitation && { user: name, detail: `until ${invitation.endsAt}` }
      },
    },
  },
})

/** The first user closes an open service, and only an admin could then add another. */
function firstUserFaults({ role, disabled }: Partial<Pick<User, 'role' | 'disabled'>>): readonly Fault[] {
  const faults: Fault[] = []
  if (role !== undefined && role !== 'admin')
    faults.push({ code: 'first-user', with: { wants: 'admin' }, at: { pointer: '/role' } })
  if (disabled) faults.push({ code: 'first-user', with: { wants: 'enabled' }, at: { pointer: '/disabled' } })
  return faults
}

const change = defineAudited({
  on: user,
  name: 'change',
  noun: 'edits',
  title: 'Change a user',
  params: ({ schema }) => ({ ...userPatch(schema), ...proofMembers }),
  body: { name: 'UserPatch', examples: [{ fullName: 'Mila Sanz', timeZone: 'Europe/Madrid' }] },
  demandsState: true,
  prepares: true,
  differences: true,
  denied(before, fields, caller) {
    const refusal = changesAccess(before, fields) ? byProgram(before, caller) : undefined
    return refusal ?? (caller.role === 'admin' ? undefined : ofAdmins(before, fields, caller))
  },
  check: ({ password }, _now, { thing, caller }) =>
    password === undefined || (caller !== undefined && isSelf(thing, caller))
      ? []
      : [{ code: 'unknown', at: { pointer: '/password' } }],
  apply(before, { password: _proof, ...fields }, _now, { known }: Knowing<UserFacts>) {
    const refused = lastAdmin(before, known, { ...before, ...fields })
    return refused === undefined ? fields : { refused }
  },
  audit: {
    'role-changed': {
      title: 'Role changed',
      of: (after, { before }) =>
        after.role === before.role ? undefined : { user: after.name, detail: `from ${before.role} to ${after.role}` },
    },
    'user-disabled': {
      title: 'User disabled',
      of: (after, { before }) => (after.disabled && !before.disabled ? { user: after.name } : undefined),
    },
    'user-enabled': {
      title: 'User enabled',
      of: (after, { before }) => (before.disabled && !after.disabled ? { user: after.name } : undefined),
    },
    'user-changed': {
      title: 'User changed',
      of(after, { before }) {
        const others = differing(before, after).filter((name) => name !== 'role' && name !== 'disabled')
        return others.length === 0 ? undefined : { user: after.name, detail: others.join(', ') }
      },
    },
  },
})

function ofAdmins(before: User, fields: UserPatch, { name: actor, role }: Caller): Refusal | undefined {
  const isAdmins = ADMINS_OWN.some((name) => fields[name] !== undefined && fields[name] !== before[name])
  return isAdmins ? { code: 'needs-role', needed: 'admin', actor, role } : undefined
}

const differing = (before: User, after: User): readonly string[] =>
  Object.keys(plainMembers.toChange).filter((name) => valueIn(before, name) !== valueIn(after, name))

/**
 * The last admin who can sign in can be neither demoted nor removed; if no admin can sign in, the last of all, who may
 * have an invitation.
 */
function lastAdmin({ name }: User, { admins }: UserFacts, after?: User): Refusal | undefined {
  const able = admins.filter(({ signsIn }) => signsIn)
  const [only, ...others] = able.length > 0 ? able : admins
  const isLast = only?.name === name && others.length === 0
  if (!isLast || (after?.role === 'admin' && !after.disabled)) return undefined
  return { code: 'last-admin', user: name }
}

/** A changed email may give access to somebody else. */
export const changesAccess = (before: User, { email }: { readonly email?: string | null }): boolean =>
  email !== undefined && email !== before.email

const remove = defineAudited({
  on: user,
  name: 'remove',
  role: 'admin',
  noun: 'removals',
  removes: true,
  title: 'Remove a user',
  params: () => ({}),
  demandsState: true,
  apply(before, _params, _now, { known }: Knowing<UserFacts>) {
    const refused = lastAdmin(before, known) ?? inUse('user', before.name, known.leads)
    return refused === undefined ? UNCHANGED : { refused }
  },
  audit: {
    'key-withdrawn': {
      title: 'Key withdrawn',
      of: ({ name }, { known }: { readonly known: UserFacts }) => known.keys.map((key) => ({ user: name, key })),
    },
    'user-removed': { title: 'User removed', of: about },
  },
})

/** The entry contains only the user. */
function about({ name }: User): AuditNote {
  return { user: name }
}

/** The common part of operations that leave the user's fields as they are. */
const UNCHANGED: object = {}
const beside = { on: user, keepsState: true, apply: () => UNCHANGED } as const
const ofPerson = (before: User, _params: unknown, caller: Caller) => byProgram(before, caller)

/** A user also gives their old password: an unattended browser is not enough. */
const setPassword = defineAudited({
  on: user,
  name: 'setPassword',
  noun: 'passwords',
  title: 'Set a password',
  params: () => passwordMembers,
  body: {
    name: 'NewPassword',
    examples: [{ old: 'four words in a row', password: 'another four words, longer' }],
  },
  prepares: true,
  keepsState: true,
  denied: ofPerson,
  // A verified old password that was changed meanwhile proves nothing.
  apply(_user, _params, _now, { known: { hash }, prepared }: Knowing<UserFacts, PreparedPassword>) {
    const { before = hash } = prepared
    return before === hash ? UNCHANGED : { refused: { code: 'password-changed' } as const }
  },
  audit: { 'password-set': { title: 'Password set', of: about } },
})

const invite = defineAudited({
  ...beside,
  ...proving,
  name: 'invite',
  role: 'admin',
  noun: 'invitations',
  title: 'Give a user a link to set a password',
  denied: ofPerson,
  audit: {
    'user-invited': {
      title: 'User invited',
      of: ({ name }, { prepared }: { readonly prepared: Invitation }) => ({
        user: name,
        detail: `until ${prepared.endsAt}`,
      }),
    },
  },
})

const openCalendar = defineAudited({
  ...beside,
  ...proving,
  name: 'openCalendar',
  noun: 'calendar',
  title: 'Make the address of one’s calendar',
  // Nobody else sees the secret, whatever their role.
  denied: (before, _params, caller) =>
    caller.by === undefined || isSelf(before, caller) ? byProgram(before, caller) : { code: 'denied', why: 'calendar' },
  audit: { 'calendar-opened': { title: 'Calendar address created', of: about } },
})

const revokeCalendar = defineAudited({
  ...beside,
  ...proving,
  name: 'revokeCalendar',
  noun: 'calendar-revocations',
  title: 'Revoke the address of a calendar',
  denied: ofPerson,
  audit: { 'calendar-revoked': { title: 'Calendar address revoked', of: about } },
})

const link = defineAudited({
  ...beside,
  name: 'link',
  role: 'admin',
  noun: 'identities',
  title: 'Link a user to the OpenID provider',
  params: () => ({ ...identityMembers, ...proofMembers }),
  body: { name: 'Identity', examples: [{ subject: '248289761001' }] },
  prepares: true,
  denied: ofPerson,
  audit: {
    'user-linked': {
      title: 'Linked to the provider',
      of: ({ name }, { params: { subject } }) => ({ user: name, detail: subject.slice(0, 200) }),
    },
  },
})

/** How many sessions there were is known when they have ended. */
export interface EndedSessions {
  count: number
}

const endSessions = defineAudited({
  ...beside,
  name: 'endSessions',
  noun: 'session-endings',
  title: 'End all sessions of a user',
  params: () => ({}),
  denied: ofPerson,
  audit: {
    'sessions-ended': {
      title: 'All sessions ended',
      of: ({ name }, { known: { count } }: { readonly known: EndedSessions }) =>
        count === 0 ? undefined : { user: name, detail: count > 1 ? `${count} sessions` : null },
    },
  },
})

export const userOperations = [
  create,
  change,
  remove,
  setPassword,
  invite,
  openCalendar,
  revokeCalendar,
  link,
  endSessions,
] as const
