import type { ApiKey } from '../../model/user/key.ts'
import type { UserSession } from '../../model/user/session.ts'
import type { User } from '../../model/user/user.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import { mayDo } from '../../values/role.ts'
import { ask } from '../parts/ask.ts'
import type { View, Visit } from '../parts/visit.ts'
import type { RefusedForm } from './as-sent.ts'
import { userPage } from './view.ts'

/** What a page about a user shows besides the user. */
export interface AboutUser {
  /** The sessions that run. */
  readonly sessions: Filter
  /** Whether people can sign in elsewhere. */
  readonly hasProvider: boolean
  /** A link by which the user sets a password, shown this once. */
  readonly invitation?: string
  /** The address of the user's calendar, shown this once. */
  readonly calendar?: string
  /** A key that was just made, shown this once. */
  readonly secret?: string
  /** A form that was refused. */
  readonly sent?: RefusedForm
}

const SHOWN = 100

/** A user, their sessions and keys: what they may change themselves, and what admins may. */
export async function showUser(user: User, { sessions: running, ...shown }: AboutUser, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const { keys, sessions } = collectionsOf(visit.desk.schema)
  const ofUser: Filter = [equals(keys, 'user', user.name)]
  const [found, theirs, account, identities] = await Promise.all([
    ask(visit.desk, sessions, `sort=-seenAt&maxpagesize=${SHOWN}`, running),
    ask(visit.desk, keys, `maxpagesize=${SHOWN}`, ofUser),
    visit.service.store.accounts.find(user.name),
    visit.service.store.accounts.identitiesOf(user.name),
  ])
  const page = {
    user,
    isSelf: visit.caller?.user === user.name,
    isAdmin: mayDo(visit, 'admin'),
    hasPassword: account !== undefined && account.hash !== null,
    ...shown,
    sessions: found.items.map((json) => JSON.parse(json) as UserSession),
    currentSession: visit.caller?.session ?? null,
    keys: theirs.items.map((json) => JSON.parse(json) as ApiKey),
    identities,
    now: new Date().toISOString(),
    addresses,
  }
  return () => userPage(page)
}
