import assert from 'node:assert/strict'
import { performAsOperator } from '../../../src/access/as-operator.ts'
import type { Author } from '../../../src/model/declaration/audit-note.ts'
import type { Identity, Invitation, PreparedUser } from '../../../src/model/nouns/user/operations.ts'
import type { UserPatch } from '../../../src/model/nouns/user/user.ts'
import type { Outcome, Store } from '../../../src/store/port/store.ts'
import type { Role } from '../../../src/values/role.ts'

type Performs = Pick<Store, 'perform'>

interface Asked {
  readonly target?: string
  readonly within?: { readonly [field: string]: string }
  readonly params?: object
  /** What is made outside the transaction. */
  readonly prepared?: unknown
  readonly author?: Author
}

/** Asks for an operation on what the audit tells of, as the command line does. */
export const performAudited = (
  store: Performs,
  [on, operation]: readonly [on: string, operation: string],
  { prepared = null, author, ...asked }: Asked = {},
): Promise<Outcome> => performAsOperator(store, { on, operation, prepared, ...asked }, undefined, author)

const isDone = async (...asked: Parameters<typeof performAudited>): Promise<boolean> =>
  (await performAudited(...asked)).kind === 'applied'

/** Subscribes to every event. */
export async function addWebhook(store: Performs, id: string): Promise<void> {
  const prepared = { drawn: { id, secret: 's' }, another: { id: crypto.randomUUID(), secret: 's' } }
  const params = { url: 'https://example.com/' }
  const { kind } = await performAudited(store, ['webhook', 'create'], { params, prepared })
  assert.equal(kind, 'applied')
}

/** Adds a user whose password has a hash of the test's own; false if the name is taken. */
export const putUser = (
  store: Performs,
  { name, role, ...prepared }: { readonly name: string; readonly role: Role } & PreparedUser,
): Promise<boolean> => isDone(store, ['user', 'create'], { params: { name, role }, prepared })

export const changeUser = (store: Performs, name: string, params: UserPatch): Promise<Outcome> =>
  performAudited(store, ['user', 'change'], { target: name, params })

export const removeUser = (store: Performs, name: string): Promise<Outcome> =>
  performAudited(store, ['user', 'remove'], { target: name })

/** `before` is the hash that was verified. */
export const setHash = (store: Performs, name: string, hash: string, before?: string): Promise<boolean> =>
  isDone(store, ['user', 'setPassword'], {
    target: name,
    params: { password: 'a password that nobody needs' },
    prepared: before === undefined ? { hash } : { hash, before },
  })

export const inviteUser = (store: Performs, name: string, prepared: Invitation): Promise<boolean> =>
  isDone(store, ['user', 'invite'], { target: name, prepared })

export const linkUser = (store: Performs, name: string, prepared: Identity, author?: Author): Promise<boolean> =>
  isDone(store, ['user', 'link'], {
    target: name,
    params: { subject: prepared.subject },
    prepared,
    ...(author && { author }),
  })

/** Ends one session of a user, or all. */
export const endSessions = (store: Performs, name: string, session?: string): Promise<boolean> =>
  session === undefined
    ? isDone(store, ['user', 'endSessions'], { target: name })
    : isDone(store, ['session', 'end'], { target: session, within: { user: name } })

interface TestKey {
  readonly name: string
  /** Null for a key that belongs to nobody. */
  readonly user: string | null
  readonly role: Role
  readonly endsAt?: string
}

const ownerOf = (user: string | null): NonNullable<Asked['within']> => (user === null ? {} : { user })

/** Makes a key with a hash of the test's own; tells why not. */
export async function putKey(store: Performs, { user, ...params }: TestKey, prepared: string): Promise<string> {
  const outcome = await performAudited(store, ['key', 'create'], { within: ownerOf(user), params, prepared })
  return outcome.kind === 'refused' ? outcome.refusal.code : 'added'
}

export const removeKey = (store: Performs, user: string | null, key: string): Promise<boolean> =>
  isDone(store, ['key', 'withdraw'], { target: key, within: ownerOf(user) })
