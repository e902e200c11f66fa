import type { ShownOnce } from '../../http/contract/shown.ts'
import { findUser } from '../../http/endpoints/users/addressed-user.ts'
import { running } from '../../http/endpoints/users/running-sessions.ts'
import type { ApiKey } from '../../model/user/key.ts'
import type { UserSession } from '../../model/user/session.ts'
import type { User } from '../../model/user/user.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import { mayDo } from '../../values/role.ts'
import type { FormRefusal } from '../page-forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import type { View, Visit } from '../parts/visit.ts'
import { originOf } from '../shell/origin.ts'
import type { RefusedForm } from './as-sent.ts'
import { userPage } from './view.ts'

const SHOWN = 100

/** A user, their sessions and keys: with the forms for themselves, and those for admins. */
export async function showUser(user: User, once: ShownOnce, visit: Visit, sent?: RefusedForm): Promise<View> {
  const { addresses } = visit.service
  const { keys, sessions } = collectionsOf(visit.desk.schema)
  const ofUser: Filter = [equals(keys, 'user', user.name)]
  const [found, theirs, account, identities] = await Promise.all([
    ask(visit.desk, sessions, `sort=-seenAt&maxpagesize=${SHOWN}`, running(sessions, user.name, Date.now())),
    ask(visit.desk, keys, `maxpagesize=${SHOWN}`, ofUser),
    visit.service.store.accounts.find(user.name),
    visit.service.store.accounts.identitiesOf(user.name),
  ])
  const page = {
    user,
    isSelf: visit.caller?.user === user.name,
    isAdmin: mayDo(visit, 'admin'),
    hasPassword: account !== undefined && account.hash !== null,
    hasProvider: visit.service.provider !== undefined,
    ...once,
    ...(once.invitation !== undefined && { invitation: whole(once.invitation, visit) }),
    ...(once.calendar !== undefined && { calendar: whole(once.calendar, visit) }),
    ...(sent && { sent }),
    sessions: found.items.map((json) => JSON.parse(json) as UserSession),
    currentSession: visit.caller?.session ?? null,
    keys: theirs.items.map((json) => JSON.parse(json) as ApiKey),
    identities,
    now: new Date().toISOString(),
    addresses,
  }
  return () => userPage(page)
}

/** A refused form of the screen, with the reason. */
export async function showRefusedUser(
  refusal: FormRefusal,
  fields: NonNullable<Visit['fields']>,
  visit: Visit,
): Promise<View | undefined> {
  const found = await findUser(visit)
  if ('problem' in found) return undefined
  const address = visit.service.addresses.base + visit.path
  return showUser(found.user, {}, visit, { part: visit.path.split('/').at(-1) ?? '', address, fields, refusal })
}

/** An absolute address, which works wherever it is pasted. */
const whole = (address: string, visit: Visit): string => new URL(address, originOf(visit)).href
