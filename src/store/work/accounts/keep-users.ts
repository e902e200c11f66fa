import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { Identity, Invitation, KnownUser, PreparedPassword, PreparedUser } from '../../../model/user/operations.ts'
import type { StoredUser, User } from '../../../model/user/user.ts'
import { isObject } from '../../../values/members.ts'
import { changedUser } from '../../rows/managed/account.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Keeper, type KeeperRefusal, type KeptBefore, missing } from '../keeper.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { invitationWork } from './credentials.ts'
import { removals, userStatements, userTable } from './users.ts'

export function userKeeper(dialect: SqlDialect): Keeper {
  const { TAKEN, FREE, UPDATE, SET_PASSWORD, INVITE, UNLINK, LINK, OPEN_CALENDAR, REVOKE_CALENDAR, KEYS_OF } =
    userStatements(dialect)
  const { SESSIONS, INVITATIONS, KEYS, PASSWORD, CALENDAR, IDENTITIES, REMOVE } = removals(dialect)
  const { known, add } = userTable(dialect)
  const { invited } = invitationWork(dialect)
  return {
    *find({ operation, target: { name = '' }, params, dryRun }) {
      if (operation === 'create') {
        const asked = isObject(params) && typeof params.name === 'string' ? params.name : ''
        return { isTaken: dryRun && (yield* ask(TAKEN, asked)).length > 0 }
      }
      const found = yield* known(name)
      if (found === undefined) return missing('user', name)
      if (operation !== 'remove') return found
      return { ...found, keys: (yield* ask(KEYS_OF, name)).map(([key]) => String(key)).toSorted() }
    },
    keep: {
      *create(user: User, { prepared }: ManagedIntent): Work<User | KeptBefore | KeeperRefusal> {
        const account = prepared as PreparedUser
        if (yield* add(user, account)) return user
        // The form was already sent, as by a double click: it shows the created user.
        const { invitation } = account
        const before = invitation && (yield* invited(invitation.hash, invitation.createdAt))
        if (before?.name === user.name) return { before }
        return { refused: { code: 'name-taken', name: user.name } }
      },
      *change(after: StoredUser, _intent: ManagedIntent, { user }: KnownUser): Work<StoredUser> {
        yield* ask(UPDATE, ...changedUser.values(after))
        if (after.disabled && !user.disabled) {
          yield* askAll([SESSIONS, INVITATIONS].map((each) => bind(each, user.name)))
        }
        return after
      },
      *remove(user: StoredUser): Work<StoredUser> {
        const removal = [SESSIONS, INVITATIONS, KEYS, PASSWORD, CALENDAR, IDENTITIES, REMOVE, FREE]
        yield* askAll(removal.map((each) => bind(each, user.name)))
        return user
      },
      *setPassword(user: StoredUser, { prepared }: ManagedIntent): Work<StoredUser> {
        yield* ask(SET_PASSWORD, user.name, (prepared as PreparedPassword).hash)
        yield* askAll([SESSIONS, INVITATIONS].map((each) => bind(each, user.name)))
        return user
      },
      *invite(user: StoredUser, { prepared }: ManagedIntent): Work<StoredUser> {
        const { hash, createdAt, endsAt } = prepared as Invitation
        yield* ask(INVITE, user.name, hash, createdAt, endsAt)
        return user
      },
      /** The earlier address, if there is one, stops working. */
      *openCalendar(user: StoredUser, { prepared }: ManagedIntent): Work<StoredUser> {
        yield* ask(OPEN_CALENDAR, user.name, prepared as string)
        return user
      },
      *revokeCalendar(user: StoredUser): Work<StoredUser | KeeperRefusal> {
        if ((yield* ask(REVOKE_CALENDAR, user.name)).length > 0) return user
        return { refused: { code: 'no-calendar', user: user.name } }
      },
      /** The user is linked to the person at the provider, replacing any other. */
      *link(user: StoredUser, { prepared }: ManagedIntent): Work<StoredUser> {
        const { issuer, subject } = prepared as Identity
        yield* ask(UNLINK, issuer, user.name)
        yield* ask(LINK, issuer, subject, user.name)
        return user
      },
    },
  }
}
