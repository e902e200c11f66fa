import type { Schema } from '../../../model/declaration/schema.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import type {
  Identity,
  Invitation,
  NewUserFacts,
  PreparedPassword,
  PreparedUser,
  UserFacts,
} from '../../../model/nouns/user/operations.ts'
import type { StoredUser, User } from '../../../model/nouns/user/user.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { AskedOperation } from '../../../model/source/asked.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { changedUser } from '../../rows/audited/account.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type EffectResult, type Found, missing, type Refused, type Storage } from '../storage.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { invitationWork } from './credentials.ts'
import { teamLeaver } from './leave-teams.ts'
import { takenNames } from './taken-names.ts'
import { removals, userStatements, userTable } from './users.ts'

/** A change of a user, and what was prepared for it. */
interface UserChange<P = null> {
  readonly before: StoredUser
  readonly after: StoredUser
  readonly prepared: P
}

export function userStorage(dialect: SqlDialect, schema: Schema): Storage {
  const { TAKEN, FREE, UPDATE, SET_PASSWORD, INVITE, UNLINK, LINK, OPEN_CALENDAR, REVOKE_CALENDAR, KEYS_OF } =
    userStatements(dialect)
  const { SESSIONS, ALL_SESSIONS, INVITATIONS, KEYS, PASSWORD, CALENDAR, IDENTITIES, REMOVE } = removals(dialect)
  const { known, add, alone } = userTable(dialect)
  const { invited } = invitationWork(dialect)
  const names = takenNames(dialect, schema)
  const leaveTeams = teamLeaver(dialect, resourceNamed(schema, 'team'))
  function* addUnlessTaken(user: User, account: PreparedUser): Work<boolean> {
    if ((yield* names.isTaken(user.name)) || !(yield* add(user, account))) return false
    yield* names.forget(user.name)
    return true
  }

  function* isTaken(name: string): Work<boolean> {
    return (yield* ask(TAKEN, name)).length > 0 || (yield* names.isTaken(name))
  }

  /** Ends all sessions and invitations of a user. */
  const endAccess = (name: string) => askAll([SESSIONS, INVITATIONS].map((each) => bind(each, name)))
  return {
    *find(intent): Work<Found | Refused> {
      const { target, dryRun } = intent
      if (target === undefined) {
        const facts: NewUserFacts = { isTaken: dryRun && (yield* isTaken(nameAsked(intent))) }
        return { known: facts }
      }
      const name = String(target)
      const account = yield* known(name)
      if (account === undefined) return missing('user', name)
      const { user: thing, ...facts } = account
      const isRemoval = (intent.change as AskedOperation).action === 'remove'
      const keys = isRemoval ? (yield* ask(KEYS_OF, name)).map(([key]) => String(key)).toSorted() : []
      const led = isRemoval ? schema.teams.filter(({ lead }) => lead === name) : []
      const leads = led.map(({ id, name: of }) => ({ on: 'team', id, name: of }))
      return { thing, known: { ...facts, keys, leads } satisfies UserFacts }
    },
    effects: {
      *create({ after, prepared }: UserChange<PreparedUser>): Work<EffectResult> {
        if (yield* alone(addUnlessTaken(after, prepared))) return undefined
        // The form was already sent, as by a double click: it shows the created user.
        const { invitation } = prepared
        const earlier = invitation && (yield* invited(invitation.hash, invitation.createdAt))
        if (earlier?.name === after.name) return { earlier }
        return { refused: { code: 'name-taken', resource: 'user', name: after.name } }
      },
      *change({ before, after }: UserChange): Work<EffectResult> {
        const thing = { ...after, previousAt: before.updatedAt }
        yield* ask(UPDATE, ...changedUser.values(thing))
        if (after.disabled && !before.disabled) yield* endAccess(after.name)
        return { thing }
      },
      *remove({ before }: UserChange): Work<undefined> {
        const removal = [SESSIONS, INVITATIONS, KEYS, PASSWORD, CALENDAR, IDENTITIES, REMOVE, FREE]
        yield* askAll(removal.map((each) => bind(each, before.name)))
        yield* names.note(before.name)
        yield* leaveTeams(before.name)
      },
      *setPassword({ before, prepared }: UserChange<PreparedPassword>): Work<undefined> {
        yield* ask(SET_PASSWORD, before.name, prepared.hash)
        yield* endAccess(before.name)
      },
      *invite({ before, prepared }: UserChange<Invitation>): Work<undefined> {
        const { hash, createdAt, endsAt } = prepared
        yield* ask(INVITE, before.name, hash, createdAt, endsAt)
      },
      /** The earlier address, if there is one, stops working. */
      *openCalendar({ before, prepared }: UserChange<string>): Work<undefined> {
        yield* ask(OPEN_CALENDAR, before.name, prepared)
      },
      *revokeCalendar({ before: { name } }: UserChange): Work<EffectResult> {
        if ((yield* ask(REVOKE_CALENDAR, name)).length > 0) return undefined
        return { refused: { code: 'no-calendar', user: name } }
      },
      /** The user is linked to the person at the provider, replacing any other. */
      *link({ before: { name }, prepared }: UserChange<Identity>): Work<undefined> {
        const { issuer, subject } = prepared
        yield* ask(UNLINK, issuer, name)
        yield* ask(LINK, issuer, subject, name)
      },
      *endSessions({ before }: UserChange): Work<EffectResult> {
        return { known: { count: (yield* ask(ALL_SESSIONS, before.name)).length } }
      },
    },
  }
}

/** A faulty name is nobody's. */
function nameAsked({ change }: Intent): User['name'] {
  const sent = 'action' in change ? change.params : undefined
  return isObject(sent) && typeof sent.name === 'string' ? sent.name : ''
}
