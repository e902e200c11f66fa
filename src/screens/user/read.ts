import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownOnce } from '../../http/contract/shown.ts'
import { findUser } from '../../http/endpoints/users/addressed-user.ts'
import { running } from '../../http/endpoints/users/running-sessions.ts'
import type { ApiKey } from '../../model/nouns/user/key.ts'
import type { UserSession } from '../../model/nouns/user/session.ts'
import type { User } from '../../model/nouns/user/user.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import { mayDo } from '../../values/role.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { originOf } from '../shell/origin.ts'
import type { RefusedForm } from './as-sent.ts'
import { userPage } from './view.ts'

const SHOWN = 100

/** A user, their sessions and keys: with the forms for themselves, and those for admins. */
export async function showUser(user: User, once: ShownOnce, call: Call, sent?: RefusedForm): Promise<Screen> {
  const { addresses } = call.service
  const { keys, sessions } = collectionsOf(call.desk.schema)
  const ofUser: Filter = [equals(keys, 'user', user.name)]
  const [found, theirs, account, identities, hasCalendar] = await Promise.all([
    ask(call.desk, sessions, `sort=-seenAt&maxpagesize=${SHOWN}`, running(sessions, user.name, Date.now())),
    ask(call.desk, keys, `maxpagesize=${SHOWN}`, ofUser),
    call.service.store.accounts.find(user.name),
    call.service.store.accounts.identitiesOf(user.name),
    call.service.store.accounts.hasCalendar(user.name),
  ])
  const page = {
    user,
    isSelf: call.caller?.user === user.name,
    isAdmin: mayDo(call, 'admin'),
    hasPassword: account !== undefined && account.hash !== null,
    hasCalendar,
    hasProvider: call.service.provider !== undefined,
    ...once,
    ...(once.invitation !== undefined && { invitation: whole(once.invitation, call) }),
    ...(once.calendar !== undefined && { calendar: whole(once.calendar, call) }),
    ...(sent && { sent }),
    sessions: found.items.map((json) => JSON.parse(json) as UserSession),
    currentSession: call.caller?.session ?? null,
    keys: theirs.items.map((json) => JSON.parse(json) as ApiKey),
    identities,
    people: call.service.roster.people,
    now: new Date().toISOString(),
    roles: call.schema.roles,
    addresses,
  }
  return () => userPage(page)
}

/** A refused form of the screen, with the reason. */
export async function showRefusedUser(
  refusal: FormRefusal,
  fields: NonNullable<Call['fields']>,
  call: Call,
): Promise<Screen | undefined> {
  const found = await findUser(call)
  if ('problem' in found) return undefined
  const address = call.service.addresses.base + call.path
  return showUser(found.user, {}, call, { part: call.path.split('/').at(-1) ?? '', address, fields, refusal })
}

/** An absolute address, which works wherever it is pasted. */
const whole = (address: string, call: Call): string => new URL(address, originOf(call)).href
