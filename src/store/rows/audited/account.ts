import { record } from '../../../model/nouns/audit/record.ts'
import { key } from '../../../model/nouns/user/key.ts'
import { session } from '../../../model/nouns/user/session.ts'
import { personToJson, type StoredUser, user } from '../../../model/nouns/user/user.ts'
import { isRole, type Role } from '../../../values/role.ts'
import type { KnownCaller } from '../../port/accounts.ts'
import { documentRows, type FieldRows } from './field-rows.ts'

const declared = documentRows(user)

export const userRows: FieldRows<StoredUser> = {
  columns: [...declared.columns, 'previous_at', 'person'],
  values: (each) => [...declared.values(each), each.previousAt ?? null, personToJson(each)],
  read: (row) => ({ ...declared.read(row), previousAt: textOrNull(row[declared.columns.length]) }),
}

/** A change of a user does not write when they were seen. */
const isChanged = (column: string | undefined): boolean => column !== 'last_seen_at' && column !== 'invited'
export const changedUser: Pick<FieldRows<StoredUser>, 'columns' | 'values'> = {
  columns: userRows.columns.filter(isChanged),
  values: (each) => userRows.values(each).filter((_, at) => isChanged(userRows.columns[at])),
}

export const keyRows = documentRows(key)
export const sessionRows = documentRows(session)
export const auditRows = documentRows(record)

/** The row of a caller: name, role, user, key, session, its sign-in, full name, when last seen, when a key ends. */
export function readCaller(row: readonly unknown[]): KnownCaller {
  const [name, role, userName, keyName, sessionId, signedInAt, fullName, seenAt, endsAt] = row
  return {
    name: String(name),
    role: roleOf(role),
    user: textOrNull(userName),
    by: sessionId === null ? 'key' : 'session',
    key: textOrNull(keyName),
    endsAt: textOrNull(endsAt),
    session: textOrNull(sessionId),
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
