import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { ManagedName, ManagedRefusal } from '../../../model/managed/refusal.ts'
import type { ApiKey } from '../../../model/user/key.ts'
import type { KnownUser } from '../../../model/user/operations.ts'
import { IDLE_SESSION } from '../../../model/user/session.ts'
import type { StoredUser, User } from '../../../model/user/user.ts'
import { isObject } from '../../../values/members.ts'
import type { Identity, Invitation } from '../../port/accounts.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Keeper, KeeperRefusal } from '../keeper.ts'
import { ask, type Work } from '../work.ts'
import type { AccountWorks } from './account-store.ts'

const missing = (on: ManagedName, id: string): KeeperRefusal => ({ refused: { code: 'missing', on, id } })
const refuse = (refusal: ManagedRefusal): KeeperRefusal => ({ refused: refusal })
const gone = ({ target: { name = '' } }: ManagedIntent): KeeperRefusal => missing('user', name)

/** What was prepared for a new user: a password, or a link to set one. */
interface PreparedUser {
  readonly hash: string | null
  readonly invitation?: Invitation
}

export function userKeeper(works: AccountWorks): Keeper {
  return {
    *find({ operation, target: { name = '' }, params, dryRun }) {
      if (operation === 'create') {
        const asked = isObject(params) && typeof params.name === 'string' ? params.name : ''
        return { isTaken: dryRun && (yield* works.isTaken(asked)) }
      }
      return (yield* works.known(name)) ?? missing('user', name)
    },
    keep: {
      *create(user: User, { author, prepared }: ManagedIntent): Work<User | KeeperRefusal> {
        const { hash, invitation } = prepared as PreparedUser
        if (yield* works.add({ user, hash, ...(invitation && { invitation }) }, author)) return user
        // The form was sent before, as by a double click: it shows what it made.
        const invited = invitation && (yield* works.invited(invitation.hash, invitation.createdAt))
        return invited?.name === user.name ? invited : refuse({ code: 'name-taken', name: user.name })
      },
      change: (after: StoredUser, { author }: ManagedIntent, { user }: KnownUser) => works.save(user, after, author),
      remove: (user: StoredUser, { author }: ManagedIntent) => works.remove(user, author),
      *setPassword(user: StoredUser, { author, manager, prepared }: ManagedIntent): Work<StoredUser | KeeperRefusal> {
        const { hash, before } = prepared as Pick<KnownUser, 'hash'> & { readonly before: string | null }
        // Whoever verified an old password that is no longer there verified nothing.
        const verified = manager.user === user.name ? before : undefined
        const isSet = yield* works.setPassword(user.name, hash ?? '', verified, author)
        return isSet ? user : refuse({ code: 'password-changed' })
      },
      *invite(user: StoredUser, intent: ManagedIntent): Work<StoredUser | KeeperRefusal> {
        return (yield* works.invite(intent.prepared as Invitation, intent.author)) ? user : gone(intent)
      },
      *openCalendar(user: StoredUser, { author, prepared }: ManagedIntent): Work<StoredUser> {
        yield* works.openCalendar(user.name, prepared as string, author)
        return user
      },
      *revokeCalendar(user: StoredUser, { author }: ManagedIntent): Work<StoredUser | KeeperRefusal> {
        if (yield* works.revokeCalendar(user.name, author)) return user
        return refuse({ code: 'no-calendar', user: user.name })
      },
      *link(user: StoredUser, intent: ManagedIntent): Work<StoredUser | KeeperRefusal> {
        return (yield* works.link(user.name, intent.prepared as Identity, intent.author)) ? user : gone(intent)
      },
    },
  }
}

export function keyKeeper(works: AccountWorks): Keeper {
  return {
    *find({ operation, target: { name = '', key = '' }, manager }) {
      const known = yield* works.known(name)
      if (known === undefined) return missing('user', name)
      const { user } = known
      const keys = yield* works.keys()
      const own = keys.filter((each) => each.user === name)
      if (operation === 'create') {
        const asking = keys.find((each) => each.name === manager.key && each.user === manager.user)
        return { user, names: own.map((each) => each.name), lastsUntil: asking?.endsAt ?? null }
      }
      const found = own.find((each) => each.name === key)
      return found === undefined ? missing('key', key) : { user, key: found }
    },
    keep: {
      *create(key: ApiKey, intent: ManagedIntent): Work<ApiKey | KeeperRefusal> {
        const added = yield* works.addKey(key, intent.prepared as string, intent.author)
        return added === 'added' ? key : gone(intent)
      },
      *withdraw(key: ApiKey, { author }: ManagedIntent): Work<ApiKey | KeeperRefusal> {
        return (yield* works.removeKey(key, author)) ? key : missing('key', key.name)
      },
    },
  }
}

export function sessionKeeper(dialect: SqlDialect, works: AccountWorks): Keeper {
  const { RUNNING } = statementsIn(dialect, 'running sessions', {
    RUNNING: `SELECT created_at FROM sessions WHERE user_name = ?1 AND id = ?2 AND ends_at > ?3 AND seen_at >= ?4`,
  })
  return {
    *find({ operation, target: { name = '', session = '' } }) {
      const known = yield* works.known(name)
      if (known === undefined) return missing('user', name)
      if (operation === 'endAll') return known
      const [now, idleSince] = [0, IDLE_SESSION].map((before) => new Date(Date.now() - before).toISOString())
      const [row] = yield* ask(RUNNING, name, session, now, idleSince)
      return row === undefined ? missing('session', session) : { user: known.user, since: String(row[0]) }
    },
    keep: {
      *end(user: User, { author, target: { session = '' } }: ManagedIntent): Work<User | KeeperRefusal> {
        const ended = yield* works.endSessions(user.name, session, 'session-ended', author)
        return ended === 0 ? missing('session', session) : user
      },
      *endAll(user: User, { author }: ManagedIntent): Work<User> {
        yield* works.endSessions(user.name, undefined, 'sessions-ended', author)
        return user
      },
    },
  }
}
