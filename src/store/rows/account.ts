import { type AuditEntry, auditToJson } from '../../model/user/audit.ts'
import { type ApiKey, keyToJson } from '../../model/user/key.ts'
import { sessionToDoc, type UserSession } from '../../model/user/session.ts'
import type { StoredUser } from '../../model/user/user.ts'
import { personToJson, type User, userToDoc } from '../../model/user/user.ts'
import { isRole, type Role } from '../../values/role.ts'
import type { KnownCaller } from '../port/accounts.ts'
import { quotedOrNull, type RowDocument, rowDocument } from '../sql/row-document.ts'

type RowValues = readonly (string | number | boolean | null)[]

/** A document and, as its last member, an instant that is kept beside it. */
const withInstant = (member: string, column: string): RowDocument =>
  rowDocument`${'substr(doc, 1, length(doc) - 1)'}${`',"${member}":'`}${quotedOrNull(column)}}`

export const userDocument = withInstant('lastSeenAt', 'last_seen_at')
export const sessionDocument = withInstant('seenAt', 'seen_at')

/** When they were last seen is last: a change of the user does not write it. */
export const userColumns = [
  ...['name', 'full_name', 'email', 'role', 'locale', 'time_zone', 'disabled', 'created_at', 'updated_at', 'revision'],
  ...['previous_at', 'doc', 'person', 'last_seen_at'],
] as const

export const userValues = (user: User, previousAt: string | null): RowValues => [
  user.name,
  user.fullName,
  user.email,
  user.role,
  user.locale,
  user.timeZone,
  user.disabled,
  user.createdAt,
  user.updatedAt,
  user.revision,
  previousAt,
  userToDoc(user),
  personToJson(user),
  user.lastSeenAt,
]

export function readUser(row: readonly unknown[]): StoredUser {
  const [name, fullName, email, role, locale, timeZone, disabled, createdAt, updatedAt, revision] = row
  const [previousAt, , , lastSeenAt] = row.slice(10)
  return {
    name: String(name),
    fullName: textOrNull(fullName),
    email: textOrNull(email),
    role: roleOf(role),
    locale: textOrNull(locale),
    timeZone: textOrNull(timeZone),
    disabled: Boolean(disabled),
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
    revision: Number(revision),
    lastSeenAt: textOrNull(lastSeenAt),
    previousAt: textOrNull(previousAt),
  }
}

export const keyColumns = ['name', 'user_name', 'role', 'ends_at', 'created_at', 'doc'] as const

export const keyValues = (key: ApiKey): RowValues => [
  key.name,
  key.user,
  key.role,
  key.endsAt,
  key.createdAt,
  keyToJson(key),
]

export function readKey([name, user, role, endsAt, createdAt]: readonly unknown[]): ApiKey {
  return {
    name: String(name),
    user: textOrNull(user),
    role: roleOf(role),
    endsAt: textOrNull(endsAt),
    createdAt: String(createdAt),
  }
}

export const sessionColumns = [
  ...['id', 'user_name', 'client', 'address', 'created_at', 'ends_at', 'seen_at', 'doc', 'hash', 'signed_in_at'],
] as const

export const sessionValues = (session: UserSession, hash: string, signedInAt: string | null): RowValues => [
  session.id,
  session.user,
  session.client,
  session.address,
  session.createdAt,
  session.endsAt,
  session.seenAt,
  sessionToDoc(session),
  hash,
  signedInAt,
]

/** In the order of the entry's members. */
export const auditColumns = [
  'id',
  'at',
  'event',
  'actor',
  'actor_key',
  'user_name',
  'key_name',
  'address',
  'detail',
  'doc',
] as const

export const auditValues = (entry: AuditEntry): RowValues => [
  entry.id,
  entry.at,
  entry.event,
  entry.actor,
  entry.actorKey,
  entry.user,
  entry.key,
  entry.address,
  entry.detail,
  auditToJson(entry),
]

/** The row of a caller: name, role, user, key, session, its sign-in, full name, when last seen, when a key ends. */
export function readCaller(row: readonly unknown[]): KnownCaller {
  const [name, role, user, key, session, signedInAt, fullName, seenAt, endsAt] = row
  return {
    name: String(name),
    role: roleOf(role),
    user: textOrNull(user),
    by: session === null ? 'key' : 'session',
    key: textOrNull(key),
    endsAt: textOrNull(endsAt),
    session: textOrNull(session),
    signedInAt: textOrNull(signedInAt),
    fullName: textOrNull(fullName),
    seenAt: textOrNull(seenAt),
  }
}

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

function roleOf(value: unknown): Role {
  const role = String(value)
  if (!isRole(role)) throw new Error(`there is no role ${role}`)
  return role
}
