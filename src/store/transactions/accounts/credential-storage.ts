import type { ApiKey, NewKeyFacts } from '../../../model/nouns/user/key.ts'
import { IDLE_SESSION, type UserSession } from '../../../model/nouns/user/session.ts'
import { keyRows, sessionRows } from '../../rows/audited/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { type EffectResult, type Found, missing, type Refused, type Storage } from '../storage.ts'
import { ask, type Work } from '../work.ts'
import { userTable } from './users.ts'

interface KeyChange {
  readonly before: ApiKey
  readonly after: ApiKey
  /** The hash of the secret. */
  readonly prepared: string
}

/** The address of a key without a user names no user. */
export function keyStorage(dialect: SqlDialect): Storage {
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
    *find({ target, within: { user: owner } = {}, caller }): Work<Found | Refused> {
      // Locked, so that removing the user meanwhile removes a new key too, and no two are created at once.
      const found = owner === undefined ? { user: null } : yield* known(owner)
      if (found === undefined) return missing('user', owner ?? '')
      const { user } = found
      const keys = (yield* ask(KEYS, owner ?? '', caller?.user ?? '')).map(keyRows.read)
      const own = keys.filter((each) => each.user === (user?.name ?? null))
      if (target !== undefined) return { thing: own.find(({ name }) => name === target), known: { user } }
      const names = user === null ? (yield* ask(ACTORS)).map(([actor]) => String(actor)) : own.map(({ name }) => name)
      const calling =
        caller?.key && keys.find(({ name, user: of }) => name === caller.key && of === (caller.user ?? null))
      const facts: NewKeyFacts = { user, names, lastsUntil: calling ? calling.endsAt : null }
      return { known: facts }
    },
    effects: {
      *create({ after, prepared }: KeyChange): Work<EffectResult> {
        const { name, user } = after
        if (user === null && (yield* ask(NAME, name)).length === 0)
          return { refused: { code: 'name-taken', resource: 'key', name } }
        yield* ask(INSERT, ...keyRows.values({ ...after, hash: prepared }))
        return undefined
      },
      *withdraw({ before: { name, user } }: KeyChange): Work<undefined> {
        yield* ask(REMOVE, name, user)
        if (user === null) yield* ask(FREE, name)
      },
    },
  }
}

export function sessionStorage(dialect: SqlDialect): Storage {
  const { known } = userTable(dialect)
  const { RUNNING, END } = statementsIn(dialect, 'running sessions', {
    RUNNING: `SELECT ${sessionRows.columns.join(', ')} FROM sessions
      WHERE user_name = ?1 AND id = ?2 AND ends_at > ?3 AND seen_at >= ?4`,
    END: 'DELETE FROM sessions WHERE user_name = ?1 AND id = ?2 RETURNING id',
  })
  return {
    *find({ target, within: { user: owner = '' } = {} }): Work<Found | Refused> {
      if ((yield* known(owner)) === undefined) return missing('user', owner)
      const [now, idleSince] = [0, IDLE_SESSION].map((before) => new Date(Date.now() - before).toISOString())
      return { thing: (yield* ask(RUNNING, owner, String(target), now, idleSince)).map(sessionRows.read)[0] }
    },
    effects: {
      *end({ before: { user, id } }: { readonly before: UserSession }): Work<EffectResult> {
        return (yield* ask(END, user, id)).length === 0 ? missing('session', id) : undefined
      },
    },
  }
}
