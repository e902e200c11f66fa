import type { Author } from '../../../model/declaration/audit-note.ts'
import type { PreparedUser, UserFacts } from '../../../model/nouns/user/operations.ts'
import type { StoredUser, User } from '../../../model/nouns/user/user.ts'
import type { Account } from '../../port/accounts.ts'
import { changedUser, userRows } from '../../rows/audited/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import type { WriteAudit } from './audit-entries.ts'

/** Reads users and their passwords, and adds the first of all. */
export function userWork(dialect: SqlDialect, audit: WriteAudit) {
  const { ANY, ANY_USER, SET_UP, FIND, LIST } = userStatements(dialect)
  const { add, alone } = userTable(dialect)
  return {
    *any(): Work<boolean> {
      return (yield* ask(ANY)).length > 0
    },

    *anyUser(): Work<boolean> {
      return (yield* ask(ANY_USER)).length > 0
    },

    *find(name: string): Work<Account | undefined> {
      const [row] = yield* ask(FIND, name)
      return row && { user: userRows.read(row), hash: hashIn(row) }
    },

    *users(): Work<readonly User[]> {
      return (yield* ask(LIST)).map(userRows.read)
    },

    *addFirst({ user, hash }: Account, by: Author): Work<'added' | 'taken' | 'not first'> {
      return yield* alone(
        (function* (): Work<'added' | 'taken' | 'not first'> {
          if ((yield* ask(ANY_USER)).length > 0) return 'not first'
          if (!(yield* add(user, { hash }))) return 'taken'
          yield* audit('set-up', { user: user.name, detail: user.role }, by)
          yield* ask(SET_UP)
          return 'added'
        })(),
      )
    },
  }
}

/** Shared by the works that change users. */
export function userTable(dialect: SqlDialect) {
  const { FIND, LOCK, NAME, FREE, INSERT, SET_PASSWORD, INVITE, LINK } = userStatements(dialect)
  return {
    /** A second caller waits here for a name that nobody has, and then sees what the first one has added. */
    *alone<T>(work: Work<T>): Work<T> {
      yield* ask(NAME, NOBODY)
      const done = yield* work
      yield* ask(FREE, NOBODY)
      return done
    },

    /** A user under a lock, with all enabled admins. */
    *known(name: string): Work<(Omit<UserFacts, 'keys' | 'leads'> & { readonly user: StoredUser }) | undefined> {
      const locked = (yield* ask(LOCK, name)).map((row) => ({ user: userRows.read(row), signsIn: Boolean(row.at(-1)) }))
      const user = locked.find((each) => each.user.name === name)?.user
      const admins = locked
        .filter((each) => each.user.role === 'admin' && !each.user.disabled)
        .map(({ user: admin, signsIn }) => ({ name: admin.name, signsIn }))
      const [row] = user === undefined ? [] : yield* ask(FIND, name)
      return user && row && { user, admins, hash: hashIn(row) }
    },

    /** False if the name is taken by a user, or a key without a user. */
    *add(user: User | StoredUser, { hash, invitation, identity }: PreparedUser): Work<boolean> {
      if ((yield* ask(NAME, user.name)).length === 0) return false
      yield* ask(INSERT, ...userRows.values({ ...user, previousAt: null }))
      if (hash !== null) yield* ask(SET_PASSWORD, user.name, hash)
      if (invitation !== undefined) {
        yield* ask(INVITE, user.name, invitation.hash, invitation.createdAt, invitation.endsAt)
      }
      if (identity !== undefined) yield* ask(LINK, identity.issuer, identity.subject, user.name)
      return true
    },
  }
}

/** The last column of `FIND`. */
const hashIn = (row: readonly unknown[]): string | null => {
  const hash = row.at(-1)
  return typeof hash === 'string' ? hash : null
}

const NOBODY = ''

export function userStatements(dialect: SqlDialect) {
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
    INVITE: `INSERT INTO invitations (user_name, hash, created_at, ends_at) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (user_name) DO UPDATE SET hash = ?2, created_at = ?3, ends_at = ?4`,
    UNLINK: 'DELETE FROM identities WHERE issuer = ?1 AND user_name = ?2',
    LINK: `INSERT INTO identities (issuer, subject, user_name) VALUES (?1, ?2, ?3)
      ON CONFLICT (issuer, subject) DO UPDATE SET user_name = ?3`,
    OPEN_CALENDAR:
      'INSERT INTO calendars (user_name, hash) VALUES (?1, ?2) ON CONFLICT (user_name) DO UPDATE SET hash = ?2',
    KEYS_OF: 'SELECT name FROM keys WHERE user_name = ?1',
    REVOKE_CALENDAR: 'DELETE FROM calendars WHERE user_name = ?1 RETURNING user_name',
  })
}

/** The rows that are removed with a user. */
export const removals = (dialect: SqlDialect) =>
  statementsIn(dialect, 'accounts', {
    SESSIONS: 'DELETE FROM sessions WHERE user_name = ?1',
    ALL_SESSIONS: 'DELETE FROM sessions WHERE user_name = ?1 RETURNING id',
    INVITATIONS: 'DELETE FROM invitations WHERE user_name = ?1',
    KEYS: 'DELETE FROM keys WHERE user_name = ?1',
    PASSWORD: 'DELETE FROM passwords WHERE user_name = ?1',
    CALENDAR: 'DELETE FROM calendars WHERE user_name = ?1',
    IDENTITIES: 'DELETE FROM identities WHERE user_name = ?1',
    REMOVE: 'DELETE FROM users WHERE name = ?1',
  })
