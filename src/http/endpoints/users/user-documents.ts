import { say } from '../../../languages/say.ts'
import { type ApiKey, key as declaredKey } from '../../../model/user/key.ts'
import type { StoredUser } from '../../../model/user/user.ts'
import { user as declaredUser, type User } from '../../../model/user/user.ts'
import type { Document } from '../../../representations/document.ts'
import type { Addresses } from '../../contract/addresses.ts'
import type { Validators } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { withUserPage } from './user-page.ts'

/** Links that are shown once, when they were just made. */
interface ShownOnce {
  readonly invitation?: string
  readonly calendar?: string
}

export function userDocument(user: User, addresses: Addresses, once: ShownOnce = {}): Document {
  const self = addresses.user(user.name)
  const links = { self, collection: addresses.users, sessions: `${self}/sessions`, keys: `${self}/keys` }
  return {
    title: () => user.fullName ?? user.name,
    kind: 'resource',
    item: 'user',
    json: withMembers(declaredUser.toJson(user), { ...once, links }),
  }
}

/** What a dry run would make: there is nothing to link to. */
export const userDraft = (user: User, addresses: Addresses): Document => ({
  title: 'Result of the dry run',
  kind: 'resource',
  item: 'user',
  json: withMembers(declaredUser.toJson(user), { links: { collection: addresses.users } }),
})

/** When a user was seen is shown, but is no revision. */
export const userState = ({ revision, updatedAt, previousAt, lastSeenAt }: StoredUser): Validators => ({
  revision,
  updatedAt,
  previousAt: previousAt ?? null,
  beside: lastSeenAt,
})

/** The user, with a link that is shown this once. */
export async function showWithUser(user: StoredUser, once: ShownOnce, call: Call) {
  const { addresses } = call.service
  const document = await withUserPage(userDocument(user, addresses, once), user, call, once)
  return { document: () => document, address: addresses.user(user.name), validators: userState(user) }
}

export function keyDocument(key: ApiKey, addresses: Addresses, secret?: string): Document {
  const collection = addresses.ofUser(key.user ?? '', 'keys')
  const links = {
    self: addresses.ofUser(key.user ?? '', 'keys', key.name),
    collection,
    user: addresses.user(key.user ?? ''),
  }
  return {
    title: say('Key {name}', { name: key.name }),
    kind: 'resource',
    item: 'key',
    json: withMembers(declaredKey.toJson(key), { ...(secret && { secret }), links }),
  }
}

const withMembers = (json: string, members: object): string =>
  `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`
