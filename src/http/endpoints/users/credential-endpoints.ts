import { hashPassword } from '../../../access/password.ts'
import { passwordMembers } from '../../../model/user/password.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { checkGuard } from '../../../values/guard.ts'
import { readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { invalidBody, refusalProblem } from '../../contract/problems/problem.ts'
import { created, type WriteSuccess, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import { readWritingWithoutKey } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { authorOf, findUser, group, own, writingOwn } from './addressed-user.ts'
import { inviteUser } from './invite-user.ts'
import { deniesProgram, proveOneself, refuseChange, unproved } from './prove-oneself.ts'
import { userDocument, userState } from './user-documents.ts'
import { onUserPage, withUserPage } from './user-page.ts'

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
  refuses: ['user-not-found', ...unproved, 'stale-revision', 'revision-required', 'invalid-body'],
} as const
/** The passwords and invitations of users. */
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
    describes: {
      group,
      takes: 'Proof',
      answers: [invited],
      refuses: ['user-not-found', 'stale-revision', 'invalid-body', ...unproved],
    },
    handle: onUserPage(invite),
  },
]

/** Oneself gives the old password too: a browser that was left open is not enough. Where there is none, a new sign-in. */
async function setPassword(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user, isSelf } = found
  const denied = deniesProgram(found, call)
  if (denied !== undefined) return { problem: denied }
  const failed = checkGuard({ ...asked.guard, required: false }, userState(user))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, passwordMembers)
  const given = readMembers(passwordMembers, raw)
  if ('faults' in given) return invalid(given.faults)
  const { accounts } = call.service.store
  const before = (await accounts.find(user.name))?.hash ?? null
  if (before === null) {
    const unproven = await proveOneself(found, undefined, call)
    if (unproven !== undefined) return { problem: unproven }
  }
  if (isSelf && before !== null) {
    const { old } = given.values
    if (old === undefined) return invalid([{ code: 'required', at: { pointer: '/old' } }])
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
  const refused = await refuseChange(found, asked.guard, userState(user), call)
  if (refused !== undefined) return refused
  const { dryRun } = asked
  const { addresses } = call.service
  const link = dryRun ? undefined : await inviteUser(user.name, call)
  if (!dryRun && link === undefined) return { problem: refusalProblem({ code: 'user-not-found', user: user.name }) }
  const once = link === undefined ? {} : { invitation: link }
  const shown = await withUserPage(userDocument(user, addresses, once), user, call, once)
  const document = () => shown
  return answerWrite(
    invited,
    { dryRun, document, address: addresses.user(user.name), validators: userState(user) },
    call,
  )
}

const invalid = (faults: readonly Fault[]): Answer => ({ problem: invalidBody(faults) })
