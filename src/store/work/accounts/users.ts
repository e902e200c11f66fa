import type { AuditEvent, Author } from '../../../model/user/audit.ts'
import { type KnownUser, notesOf } from '../../../model/user/operations.ts'
import type { StoredUser, User } from '../../../model/user/user.ts'
import type { Account, NewAccount } from '../../port/accounts.ts'
import { changedUser, userRows } from '../../rows/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import type { WriteAudit } from './audit-entries.ts'
import type { invitationWork } from './credentials.ts'

/** Users and their passwords. */
export function userWork(dialect: SqlDialect, audit: WriteAudit, invite: ReturnType<typeof invitationWork>['invite']) {
  const { ANY, ANY_USER, SET_UP, TAKEN, FIND, LIST, LOCK, NAME, FREE, INSERT, UPDATE, SET_PASSWORD } =
    userStatements(dialect)
  const { SESSIONS, INVITATIONS, KEYS, PASSWORD, CALENDAR, IDENTITIES, REMOVE } = removals(dialect)

  function* add(account: NewAccount, by: Author, event: AuditEvent = 'user-created'): Work<boolean> {
    const { user, hash, invitation } = account
    if ((yield* ask(NAME, user.name)).length === 0) return false
    yield* ask(INSERT, ...userRows.values({ ...user, previousAt: null }))
    if (hash !== null) yield* ask(SET_PASSWORD, user.name, hash)
    yield* audit(event, { user: user.name, detail: user.role }, by)
    if (invitation !== undefined) yield* invite(invitation, by)
    return true
  }

  return {
    *any(): Work<boolean> {
      return (yield* ask(ANY)).length > 0
    },

    *anyUser(): Work<boolean> {
      return (yield* ask(ANY_USER)).length > 0
    },

    *isTaken(name: string): Work<boolean> {
      return (yield* ask(TAKEN, name)).length > 0
    },

    *find(name: string): Work<Account | undefined> {
      const [row] = yield* ask(FIND, name)
      if (row === undefined) return undefined
      const hash = row.at(-1)
      return { user: userRows.read(row), hash: typeof hash === 'string' ? hash : null }
    },

    /** A user under a lock, with all enabled admins. */
    *known(name: string): Work<KnownUser | undefined> {
      const locked = (yield* ask(LOCK, name)).map((row) => ({ user: userRows.read(row), signsIn: Boolean(row.at(-1)) }))
      const user = locked.find((each) => each.user.name === name)?.user
      const admins = locked
        .filter((each) => each.user.role === 'admin' && !each.user.disabled)
        .map(({ user: admin, signsIn }) => ({ name: admin.name, signsIn }))
      const [row] = user === undefined ? [] : yield* ask(FIND, name)
      if (user === undefined || row === undefined) return undefined
      const hash = row.at(-1)
      return { user, admins, hash: typeof hash === 'string' ? hash : null }
    },

    *users(): Work<readonly User[]> {
      return (yield* ask(LIST)).map(userRows.read)
    },

    add,

    *addFirst(account: Account, by: Author): Work<'added' | 'taken' | 'not first'> {
      // Whoever comes second waits here for the name that nobody has, and then finds a user.
      yield* ask(NAME, NOBODY)
      const isFirst = (yield* ask(ANY_USER)).length === 0
      const isAdded = isFirst && (yield* add(account, by, 'set-up'))
      if (isAdded) yield* ask(SET_UP)
      yield* ask(FREE, NOBODY)
      return isAdded ? 'added' : isFirst ? 'taken' : 'not first'
    },

    *save(before: StoredUser, after: StoredUser, by: Author): Work<StoredUser> {
      for (const { event, detail } of notesOf(before, after)) yield* audit(event, { user: before.name, detail }, by)
      yield* ask(UPDATE, ...changedUser.values(after))
      if (after.disabled && !before.disabled) {
        yield* askAll([SESSIONS, INVITATIONS].map((each) => bind(each, before.name)))
      }
      return after
    },

    *remove(user: StoredUser, by: Author): Work<StoredUser> {
      const { name } = user
      const keys = (yield* ask(KEYS, name)).map(([key]) => String(key)).toSorted()
      for (const key of keys) yield* audit('key-withdrawn', { user: name, key }, by)
      yield* audit('user-removed', { user: name }, by)
      const removal = [SESSIONS, INVITATIONS, PASSWORD, CALENDAR, IDENTITIES, REMOVE, FREE]
      yield* askAll(removal.map((each) => bind(each, name)))
      return user
    },

    /** `before` is the hash that was verified: another change in between is not undone. Undefined takes any. */
    *setPassword(name: string, hash: string, before: string | null | undefined, by: Author): Work<boolean> {
      const locked = (yield* ask(LOCK, name)).map((row) => userRows.read(row).name)
      const [row] = yield* ask(FIND, name)
      const current = typeof row?.at(-1) === 'string' ? row.at(-1) : null
      if (!locked.includes(name) || (before !== undefined && before !== current)) return false
      yield* ask(SET_PASSWORD, name, hash)
      yield* askAll([SESSIONS, INVITATIONS].map((each) => bind(each, name)))
      yield* audit('password-set', { user: name }, by)
      return true
    },
  }
}

const NOBODY = ''

function userStatements(dialect: SqlDialect) {
  const columns = userRows.columns.join(', ')
  const values = userRows.columns.map((_, at) => `?${at + 1}`)
  const changed = changedUser.columns.map((column, at) => `${column} = ?${at + 1}`)
  return statementsIn(dialect, 'users', {
    ANY: `SELECT 1 FROM actors WHERE name <> '${NOBODY}' LIMIT 1`,
    ANY_USER: 'SELECT 1 FROM users LIMIT 1',
    SET_UP: 'DELETE FROM set_up_code',
    TAKEN: 'SELECT 1 FROM actors WHERE name = ?1',
    FIND: `SELECT ${columns}, (SELECT hash FROM passwords WHERE user_name = users.name) FROM users WHERE name = ?1`,
    LIST: `SELECT ${columns} FROM users ORDER BY name`,
    // In one order, so that no two wait for each other.
    LOCK: `SELECT ${columns}, EXISTS (SELECT 1 FROM passwords WHERE user_name = users.name)
        OR EXISTS (SELECT 1 FROM identities WHERE user_name = users.name)
      FROM users WHERE name = ?1 OR role = 'admin' ORDER BY name ${dialect.lock}`,
    NAME: 'INSERT INTO actors (name) VALUES (?1) ON CONFLICT (name) DO NOTHING RETURNING name',
    FREE: 'DELETE FROM actors WHERE name = ?1',
    INSERT: `INSERT INTO users (${columns}) VALUES (${values.join(', ')})`,
    UPDATE: `UPDATE users SET ${changed.slice(1).join(', ')} WHERE name = ?1`,
    SET_PASSWORD:
      'INSERT INTO passwords (user_name, hash) VALUES (?1, ?2) ON CONFLICT (user_name) DO UPDATE SET hash = ?2',
  })
}

const removals = (dialect: SqlDialect) =>
  statementsIn(dialect, 'accounts', {
    SESSIONS: 'DELETE FROM sessions WHERE user_name = ?1',
    INVITATIONS: 'DELETE FROM invitations WHERE user_name = ?1',
    KEYS: 'DELETE FROM keys WHERE user_name = ?1 RETURNING name',
    PASSWORD: 'DELETE FROM passwords WHERE user_name = ?1',
    CALENDAR: 'DELETE FROM calendars WHERE user_name = ?1',
    IDENTITIES: 'DELETE FROM identities WHERE user_name = ?1',
    REMOVE: 'DELETE FROM users WHERE name = ?1',
  })
