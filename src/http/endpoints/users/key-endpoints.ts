import { newKey } from '../../../access/manage.ts'
import { secretHash } from '../../../access/secrets.ts'
import { type ApiKey, type KeyRefusal, keyRefusal, MOST_KEYS, newKeyMembers } from '../../../model/user/key.ts'
import { proofMembers } from '../../../model/user/password.ts'
import { collections } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { StoredUser } from '../../../store/port/accounts.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { checkGuard, type State } from '../../../values/guard.ts'
import { readMembers } from '../../../values/members.ts'
import { includesRole } from '../../../values/role.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { invalidBody, noSuch, type Problem, refusalProblem } from '../../contract/problems/problem.ts'
import { created, removed, thing, type WriteSuccess, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { readWritingWithoutKey } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { choosingFields } from '../things/thing-members.ts'
import { type AddressedUser, authorOf, deletingOwn, findUser, group, own, writingOwn } from './addressed-user.ts'
import { deniesProgram, proveOneself, refuseChange, unproved } from './prove-oneself.ts'
import { keyDocument } from './user-documents.ts'
import { onUserPage, withUserPage } from './user-page.ts'

const { keys } = collections
const keyMade = withSecret(created('keys'))
const withdrawn: WriteSuccess = { ...removed('keys'), when: 'The key is withdrawn.' }
const withdrawing = {
  group,
  answers: [withdrawn],
  takes: 'Proof',
  refuses: ['user-not-found', 'key-not-found', 'stale-revision', 'precondition-failed', 'invalid-body', ...unproved],
} as const

/** The keys of users. */
export const keyEndpoints: readonly Endpoint[] = [
  collectionEndpoint({
    collection: keys,
    path: '/users/:name/keys',
    summary: 'Keys of a user',
    about: { group: 'Users', refuses: ['user-not-found'] },
    async scope(call) {
      const found = await findUser(call)
      if ('problem' in found) return found
      return { scope: [equals(keys, 'user', found.user.name)] }
    },
  }),
  {
    ...writingOwn,
    path: '/users/:name/keys',
    summary: 'Make a key',
    describes: {
      group,
      takes: 'NewKey',
      answers: [keyMade],
      refuses: ['user-not-found', 'invalid-body', 'name-taken', 'too-many-keys', ...unproved],
    },
    handle: onUserPage(addKey),
  },
  choosingFields(keys, {
    ...own,
    method: 'GET',
    path: '/users/:name/keys/:key',
    summary: 'A key',
    describes: { group, answers: [thing('keys')], refuses: ['user-not-found', 'key-not-found'] },
    handle: read,
  }),
  {
    ...deletingOwn,
    reads: ['application/json'],
    path: '/users/:name/keys/:key',
    summary: 'Withdraw a key',
    describes: withdrawing,
    handle: onUserPage(withdraw),
  },
  {
    ...writingOwn,
    path: '/users/:name/keys/:key/withdrawals',
    summary: 'Withdraw a key, from a page',
    describes: withdrawing,
    handle: onUserPage(withdraw),
  },
]

const members = { ...newKeyMembers, ...proofMembers }

async function addKey(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const denied = deniesProgram(found, call) ?? deniesToken(call)
  if (denied !== undefined) return { problem: denied }
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, members, call.reader)
  const given = readMembers(members, raw)
  if ('faults' in given) return invalid(given.faults)
  const { password, ...values } = given.values
  const key: ApiKey = { ...values, user: user.name, createdAt: new Date().toISOString() }
  const faults = keyFaults(key, user, call, await callingKey(call))
  if (faults.length > 0) return invalid(faults)
  const unproven = await proveOneself(found, password, call)
  if (unproven !== undefined) return { problem: unproven }
  const { accounts } = call.service.store
  const { addresses } = call.service
  const { dryRun } = asked
  if (dryRun) {
    const others = (await accounts.keys()).filter((each) => each.user === user.name).map(({ name }) => name)
    const refused = keyRefusal(key, others)
    if (refused !== undefined) return { problem: refusals[refused](key) }
    return answerWrite(keyMade, { dryRun, foreseen: () => keyDocument(key, addresses) }, call)
  }
  const secret = newKey()
  const added = await accounts.addKey(key, secretHash(secret), authorOf(call))
  if (added === 'no user') return { problem: refusalProblem({ code: 'user-not-found', user: user.name }) }
  if (added !== 'added') return { problem: refusals[added](key) }
  call.service.access.refresh()
  const address = addresses.ofUser(user.name, 'keys', key.name)
  const document = await withUserPage(keyDocument(key, addresses, secret), user, call, { secret })
  return answerWrite(keyMade, { dryRun, document: () => document, address }, call)
}

const refusals: Record<KeyRefusal, (key: ApiKey) => Problem> = {
  taken: ({ name, user }) => ({
    code: 'name-taken',
    detail: { text: '{user} has a key called {name} already.', with: { user, name } },
  }),
  'too many': ({ user }) => ({
    code: 'too-many-keys',
    detail: { text: '{user} has {count} keys, which is the most.', with: { user, count: MOST_KEYS } },
  }),
}

/** A token ends within minutes at its provider's word, and a key that it made would outlive it. decisions/0054 */
function deniesToken({ caller }: Pick<Call, 'caller'>): Problem | undefined {
  if (caller?.by !== 'token') return undefined
  return { code: 'forbidden', detail: 'An access token makes no key, for nobody: the key would outlive it.' }
}

/** The admin's key that makes a key of another user. */
async function callingKey({ caller, service }: Call): Promise<ApiKey | undefined> {
  if (caller === null || caller.key === null) return undefined
  return (await service.store.accounts.keys()).find(({ name, user }) => name === caller.key && user === caller.user)
}

/** At most the user's role, and at most the role and the life of the key that makes it. */
function keyFaults(
  { role, endsAt, createdAt }: ApiKey,
  user: StoredUser,
  call: Call,
  by: ApiKey | undefined,
): readonly Fault[] {
  const most = call.role === null || includesRole(call.role, user.role) ? user.role : call.role
  const last = by?.endsAt ?? null
  const isTooLong = last !== null && (endsAt === null || endsAt > last)
  const faults: Fault[] = []
  if (!includesRole(most, role)) faults.push({ code: 'role-too-high', with: { max: most }, at: { pointer: '/role' } })
  if (endsAt !== null && endsAt <= createdAt) faults.push({ code: 'in-the-past', at: { pointer: '/endsAt' } })
  if (isTooLong) faults.push({ code: 'too-late', with: { max: last, wants: 'key' }, at: { pointer: '/endsAt' } })
  return faults
}

async function read(call: Call): Promise<Answer> {
  const found = await findKey(call)
  if ('problem' in found) return found
  return { status: 200, document: keyDocument(found.key, call.service.addresses), validators: stateOf(found.key) }
}

async function withdraw(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findKey(call)
  if ('problem' in found) return found
  const { user, key } = found
  const refused = await refuseChange(found, asked.guard, stateOf(key), call)
  if (refused !== undefined) return refused
  const { dryRun } = asked
  const { addresses, store } = call.service
  if (!dryRun && !(await store.accounts.removeKey(key, authorOf(call)))) return noKey(key.name)
  call.service.access.refresh()
  const next = addresses.user(user.name)
  return answerWrite(withdrawn, { dryRun, foreseen: () => keyDocument(key, addresses), next }, call)
}

type FoundKey = (AddressedUser & { readonly key: ApiKey }) | Extract<Answer, { problem: unknown }>

async function findKey(call: Call): Promise<FoundKey> {
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const name = call.params.key ?? ''
  const known = await call.service.store.accounts.keys()
  const key = known.find((each) => each.name === name && each.user === user.name)
  return key === undefined ? noKey(name) : { ...found, key }
}

/** A key never changes. */
const stateOf = ({ createdAt }: ApiKey): State => ({ revision: 1, updatedAt: createdAt })

const noKey = (name: string): Extract<Answer, { problem: unknown }> => ({
  problem: { code: 'key-not-found', detail: noSuch('key', name) },
})

const invalid = (faults: readonly Fault[]): Answer => ({ problem: invalidBody(faults) })
