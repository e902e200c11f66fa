import assert from 'node:assert/strict'
import type { Author } from '../../../src/model/managed/managed-operation.ts'
import { type ManagedIntent, OPERATOR } from '../../../src/model/managed/managed-operation.ts'
import type { Identity, Invitation, PreparedUser } from '../../../src/model/user/operations.ts'
import type { UserPatch } from '../../../src/model/user/user.ts'
import type { ManagedOutcome } from '../../../src/store/port/managed.ts'
import type { Store } from '../../../src/store/port/store.ts'
import type { Role } from '../../../src/values/role.ts'

type Manages = Pick<Store, 'manage'>
type Asked = Partial<Pick<ManagedIntent, 'target' | 'params' | 'prepared' | 'guard' | 'dryRun' | 'author' | 'manager'>>

/** Asks for an operation on what is managed, as the command line does: whatever is needed from outside is `prepared`. */
export const manage = (
  store: Manages,
  [on, operation]: readonly [on: string, operation: string],
  asked: Asked = {},
): Promise<ManagedOutcome> =>
  store.manage({
    ...{ on, operation, target: {}, params: {}, guard: { required: false }, dryRun: false },
    manager: OPERATOR,
    author: { actor: null, address: null },
    prepared: null,
    ...asked,
  })

const isDone = async (...asked: Parameters<typeof manage>): Promise<boolean> =>
  (await manage(...asked)).kind === 'applied'

/** Subscribes to every event. */
export async function addWebhook(store: Manages, id: string): Promise<void> {
  const prepared = { drawn: { id, secret: 's' }, another: { id: crypto.randomUUID(), secret: 's' } }
  const params = { url: 'https://example.com/' }
  const { kind } = await manage(store, ['webhook', 'create'], { params, prepared })
  assert.equal(kind, 'applied')
}

/** Adds a user whose password has a hash of the test's own; false if the name is taken. */
export const putUser = (
  store: Manages,
  { name, role, ...prepared }: { readonly name: string; readonly role: Role } & PreparedUser,
): Promise<boolean> => isDone(store, ['user', 'create'], { params: { name, role }, prepared })

export const changeUser = (store: Manages, name: string, params: UserPatch): Promise<ManagedOutcome> =>
  manage(store, ['user', 'change'], { target: { name }, params })

export const removeUser = (store: Manages, name: string): Promise<ManagedOutcome> =>
  manage(store, ['user', 'remove'], { target: { name } })

/** `before` is the hash that was verified. */
export const setHash = (store: Manages, name: string, hash: string, before?: string): Promise<boolean> =>
  isDone(store, ['user', 'setPassword'], {
    target: { name },
    params: { password: 'a password that nobody needs' },
    prepared: before === undefined ? { hash } : { hash, before },
  })

export const inviteUser = (store: Manages, name: string, prepared: Invitation): Promise<boolean> =>
  isDone(store, ['user', 'invite'], { target: { name }, prepared })

export const linkUser = (store: Manages, name: string, prepared: Identity, author?: Author): Promise<boolean> =>
  isDone(store, ['user', 'link'], {
    target: { name },
    params: { subject: prepared.subject },
    prepared,
    ...(author && { author }),
  })

/** Ends one session of a user, or all. */
export const endSessions = (store: Manages, name: string, session?: string): Promise<boolean> =>
  session === undefined
    ? isDone(store, ['session', 'endAll'], { target: { name } })
    : isDone(store, ['session', 'end'], { target: { name, session } })

interface TestKey {
  readonly name: string
  /** Null for a key that belongs to nobody. */
  readonly user: string | null
  readonly role: Role
  readonly endsAt?: string
}

const ownerOf = (user: string | null): ManagedIntent['target'] => (user === null ? {} : { name: user })

/** Makes a key with a hash of the test's own; tells why not. */
export async function putKey(store: Manages, { user, ...params }: TestKey, prepared: string): Promise<string> {
  const outcome = await manage(store, ['key', 'create'], { target: ownerOf(user), params, prepared })
  return outcome.kind === 'refused' ? outcome.refusal.code : 'added'
}

export const removeKey = (store: Manages, user: string | null, key: string): Promise<boolean> =>
  isDone(store, ['key', 'withdraw'], { target: { ...ownerOf(user), key } })
