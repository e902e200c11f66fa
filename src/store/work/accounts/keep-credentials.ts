import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { ApiKey } from '../../../model/user/key.ts'
import { type EndedSessions, IDLE_SESSION } from '../../../model/user/session.ts'
import type { User } from '../../../model/user/user.ts'
import { keyRows } from '../../rows/managed/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { type Keeper, type KeeperRefusal, missing } from '../keeper.ts'
import { ask, type Work } from '../work.ts'
import { userTable } from './users.ts'

/** The address of a key without a user names no user. */
export function keyKeeper(dialect: SqlDialect): Keeper {
  const { known } = userTable(dialect)
  const { KEYS, ACTORS, NAME, FREE, INSERT, REMOVE } = statementsIn(dialect, 'keys', {
    KEYS: `SELECT ${keyRows.columns.join(', ')} FROM keys WHERE coalesce(user_name, '') IN (?1, ?2)`,
    ACTORS: 'SELECT name FROM actors',
    NAME: 'INSERT INTO actors (name) VALUES (?1) ON CONFLICT (name) DO NOTHING RETURNING name',
    FREE: 'DELETE FROM actors WHERE name = ?1',
    INSERT: `INSERT INTO keys (${keyRows.columns.join(', ')})
      VALUES (${keyRows.columns.map((_, at) => `?${at + 1}`).join(', ')})`,
    REMOVE: `DELETE FROM keys WHERE name = ?1 AND coalesce(user_name, '') = coalesce(CAST(?2 AS text), '')`,
  })
  return {
    *find({ operation, target: { name, key = '' }, manager }) {
      // Locked, so that removing the user meanwhile removes a new key too, and no two are created at once.
      const found = name === undefined ? { user: null } : yield* known(name)
      if (found === undefined) return missing('user', name ?? '')
      const { user } = found
      const keys = (yield* ask(KEYS, name ?? '', manager.user ?? '')).map(keyRows.read)
      const own = keys.filter((each) => each.user === (user?.name ?? null))
      if (operation === 'create') {
        const names =
          user === null ? (yield* ask(ACTORS)).map(([actor]) => String(actor)) : own.map((each) => each.name)
        const asking = keys.find((each) => each.name === manager.key && each.user === manager.user)
        return { user, names, lastsUntil: asking?.endsAt ?? null }
      }
      const { hash: _hash, ...document } = own.find((each) => each.name === key) ?? { hash: '' }
      return 'name' in document ? { user, key: document } : missing('key', key)
    },
    keep: {
      *create(key: ApiKey, { prepared }: ManagedIntent): Work<ApiKey | KeeperRefusal> {
        if (key.user === null && (yield* ask(NAME, key.name)).length === 0) {
          return { refused: { code: 'name-taken', name: key.name } }
        }
        yield* ask(INSERT, ...keyRows.values({ ...key, hash: prepared as string }))
        return key
      },
      *withdraw(key: ApiKey): Work<ApiKey> {
        yield* ask(REMOVE, key.name, key.user)
        if (key.user === null) yield* ask(FREE, key.name)
        return key
      },
    },
  }
}

export function sessionKeeper(dialect: SqlDialect): Keeper {
  const { known } = userTable(dialect)
  const { RUNNING, END, END_ALL } = statementsIn(dialect, 'running sessions', {
    RUNNING: `SELECT created_at FROM sessions WHERE user_name = ?1 AND id = ?2 AND ends_at > ?3 AND seen_at >= ?4`,
    END: 'DELETE FROM sessions WHERE user_name = ?1 AND id = ?2 RETURNING id',
    END_ALL: 'DELETE FROM sessions WHERE user_name = ?1 RETURNING id',
  })
  return {
    *find({ operation, target: { name = '', session = '' } }) {
      const found = yield* known(name)
      if (found === undefined) return missing('user', name)
      if (operation === 'endAll') return found
      const [now, idleSince] = [0, IDLE_SESSION].map((before) => new Date(Date.now() - before).toISOString())
      const [row] = yield* ask(RUNNING, name, session, now, idleSince)
      return row === undefined ? missing('session', session) : { user: found.user, since: String(row[0]) }
    },
    keep: {
      *end(user: User, { target: { session = '' } }: ManagedIntent): Work<User | KeeperRefusal> {
        return (yield* ask(END, user.name, session)).length === 0 ? missing('session', session) : user
      },
      *endAll({ user }: EndedSessions): Work<EndedSessions> {
        return { user, count: (yield* ask(END_ALL, user.name)).length }
      },
    },
  }
}
