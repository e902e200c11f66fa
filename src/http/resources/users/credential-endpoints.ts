import { newKey } from '../../../access/manage.ts'
import { hashPassword } from '../../../access/password.ts'
import { secretHash } from '../../../access/secrets.ts'
import { type ApiKey, newKeyMembers } from '../../../model/user/key.ts'
import { passwordMembers } from '../../../model/user/password.ts'
import { fieldOf } from '../../../queries/collection.ts'
import { collections } from '../../../queries/collections.ts'
import type { StoredUser } from '../../../store/port/accounts.ts'
import { checkGuard } from '../../../values/guard.ts'
import { type Fault, readMembers } from '../../../values/members.ts'
import { includesRole } from '../../../values/role.ts'
import type { Answer } from '../../answer.ts'
import type { Call, Endpoint } from '../../endpoint.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import { readWritingWithoutKey, superfluousBody } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { refusalProblem } from '../../respond/problems/problem.ts'
import { created, removed, type WriteSuccess, withSecret } from '../../respond/success.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { authorOf, deletingOwn, findUser, group, own, writingOwn } from './addressed-user.ts'
import { inviteUser } from './invite-user.ts'
import { keyDocument, userDocument, userState } from './user-documents.ts'
import { taken } from './user-endpoints.ts'
import { onUserPage, withUserPage } from './user-page.ts'

const { keys } = collections
const keyMade = withSecret(created('keys'))
const withdrawn: WriteSuccess = { ...removed('keys'), when: 'The key is withdrawn.' }
const passwordSet: WriteSuccess = {
  status: 204,
  headers: [],
  when: 'The password is set, and every session of the user has ended.',
}
const invited = withSecret({ ...created('users'), when: 'The user, with a link to set a password.' })
const settingPassword = {
  group,
  takes: 'NewPassword',
  answers: [passwordSet],
  refuses: ['user-not-found', 'wrong-password', 'stale-revision', 'revision-required', 'invalid-body'],
} as const
const withdrawing = {
  group,
  answers: [withdrawn],
  refuses: ['user-not-found', 'key-not-found', 'precondition-failed', 'revision-required', 'invalid-body'],
} as const

/** The passwords, invitations and keys of users. */
export const credentialEndpoints: readonly Endpoint[] = [
  {
    ...own,
    method: 'PUT',
    reads: ['application/json'],
    parameters: ['dry-run'],
    path: '/users/:name/password',
    summary: 'Set a password',
    describes: settingPassword,
    handle: onUserPage(setPassword),
  },
  {
    ...writingOwn,
    path: '/users/:name/passwords',
    summary: 'Set a password, from a page',
    describes: settingPassword,
    handle: onUserPage(setPassword),
  },
  {
    ...writingOwn,
    role: 'admin',
    path: '/users/:name/invitations',
    summary: 'Give a user a link to set a password',
    describes: { group, answers: [invited], refuses: ['user-not-found', 'stale-revision', 'invalid-body'] },
    handle: onUserPage(invite),
  },
  collectionEndpoint({
    collection: keys,
    path: '/users/:name/keys',
    summary: 'Keys of a user',
    about: { group: 'Users', refuses: ['user-not-found'] },
    async scope(call) {
      const found = await findUser(call)
      if ('problem' in found) return found
      return { scope: [{ field: fieldOf(keys, 'user'), operator: 'eq', values: [found.user.name] }] }
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
      refuses: ['user-not-found', 'invalid-body', 'name-taken'],
    },
    handle: onUserPage(addKey),
  },
  {
    ...deletingOwn,
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

/** Oneself gives the old password too: a browser that was left open is not enough. */
async function setPassword(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user, isSelf } = found
  const failed = checkGuard({ ...asked.guard, required: false }, userState(user))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, passwordMembers)
  const given = readMembers(passwordMembers, raw)
  if ('faults' in given) return invalid(given.faults)
  const { accounts } = call.service.store
  const before = (await accounts.find(user.name))?.hash ?? null
  if (isSelf && before !== null) {
    const { old } = given.values
    if (old === undefined) return invalid([{ pointer: '/old', detail: 'is required' }])
    const proved = await call.service.access.prove(user.name, old, call.peer.address)
    if ('refused' in proved) return { problem: refusedCredential(proved, 'The old password is not right.') }
  }
  const { dryRun } = asked
  if (dryRun) return answerWrite(passwordSet, { dryRun }, call)
  const hash = await hashPassword(given.values.password)
  // Whoever verified an old password that is no longer there verified nothing.
  if (!(await accounts.setPassword(user.name, hash, isSelf ? before : undefined, authorOf(call)))) {
    return { problem: refusedCredential({ refused: 'unknown' }, 'The password was changed meanwhile.') }
  }
  call.service.access.refresh()
  const { addresses } = call.service
  return answerWrite(passwordSet, { dryRun, next: isSelf ? addresses.signIn : addresses.user(user.name) }, call)
}

async function invite(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const failed = checkGuard({ ...asked.guard, required: false }, userState(user))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const superfluous = superfluousBody(call)
  if (superfluous !== undefined) return superfluous
  const { dryRun } = asked
  const { addresses } = call.service
  const link = dryRun ? undefined : await inviteUser(user.name, call)
  const once = link === undefined ? {} : { invitation: link }
  const shown = await withUserPage(userDocument(user, addresses, once), user, call, once)
  const document = () => shown
  return answerWrite(
    invited,
    { dryRun, document, address: addresses.user(user.name), validators: userState(user) },
    call,
  )
}

async function addKey(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, newKeyMembers, call.reader)
  const given = readMembers(newKeyMembers, raw)
  if ('faults' in given) return invalid(given.faults)
  const key: ApiKey = { ...given.values, user: user.name, createdAt: new Date().toISOString() }
  const faults = keyFaults(key, user, call)
  if (faults.length > 0) return invalid(faults)
  const { accounts } = call.service.store
  const { addresses } = call.service
  const { dryRun } = asked
  if (dryRun) {
    if (await accounts.isTaken(key.name)) return { problem: taken(key.name) }
    return answerWrite(keyMade, { dryRun, foreseen: () => keyDocument(key, addresses) }, call)
  }
  const secret = newKey()
  if (!(await accounts.addKey(key, secretHash(secret), authorOf(call)))) return { problem: taken(key.name) }
  call.service.access.refresh()
  const address = addresses.ofUser(user.name, 'keys', key.name)
  const document = await withUserPage(keyDocument(key, addresses, secret), user, call, { secret })
  return answerWrite(keyMade, { dryRun, document: () => document, address }, call)
}

/** At most the user's role, and at most that of the key that makes it. */
function keyFaults({ role, endsAt, createdAt }: ApiKey, user: StoredUser, call: Call): readonly Fault[] {
  const most = call.role === null || includesRole(call.role, user.role) ? user.role : call.role
  return [
    ...(includesRole(most, role) ? [] : [{ pointer: '/role', detail: `must be at most ${most}` }]),
    ...(endsAt !== null && endsAt <= createdAt ? [{ pointer: '/endsAt', detail: 'must be in the future' }] : []),
  ]
}

async function withdraw(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { accounts } = call.service.store
  const name = call.params.key ?? ''
  const key = (await accounts.keys()).find((each) => each.name === name && each.user === found.user.name)
  if (key === undefined) return noKey(name)
  const superfluous = superfluousBody(call)
  if (superfluous !== undefined) return superfluous
  const { dryRun } = asked
  if (!dryRun && !(await accounts.removeKey(name, found.user.name, authorOf(call)))) return noKey(name)
  call.service.access.refresh()
  const { addresses } = call.service
  const next = addresses.user(found.user.name)
  return answerWrite(withdrawn, { dryRun, foreseen: () => keyDocument(key, addresses), next }, call)
}

const noKey = (name: string): Answer => ({
  problem: { code: 'key-not-found', detail: `There is no key ${JSON.stringify(name.slice(0, 64))}.` },
})

const invalid = (faults: readonly Fault[]): Answer => ({ problem: refusalProblem({ code: 'invalid', faults }) })
