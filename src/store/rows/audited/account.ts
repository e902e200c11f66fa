import { record } from '../../../model/nouns/audit/record.ts'
import { key } from '../../../model/nouns/user/key.ts'
import { session } from '../../../model/nouns/user/session.ts'
import { personToJson, type StoredUser, user } from '../../../model/nouns/user/user.ts'
import { isRole, rankOf } from '../../../values/role.ts'
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

/** The row of a caller: name, role, user, key, session, its sign-in, full name, when last seen, when a key ends, the user's role, the key's. */
export function readCaller(row: readonly unknown[]): KnownCaller {
  const [name, role, userName, keyName, sessionId, signedInAt, fullName, seenAt, endsAt, userRole, keyRole] = row
  const own = [userRole, keyRole].flatMap((each) => textOrNull(each) ?? [])
  return {
    name: String(name),
    role: rankOf(String(role)),
    ...(own.every(isRole) ? {} : { own }),
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
