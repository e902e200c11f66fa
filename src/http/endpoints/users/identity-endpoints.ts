import { proofMembers } from '../../../model/user/password.ts'
import { identityMembers } from '../../../model/user/user.ts'
import { checkGuard } from '../../../values/guard.ts'
import { readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { invalidBody, refusalProblem } from '../../contract/problems/problem.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { readWritingWithoutKey } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { authorOf, findUser, group, own, writingOwn } from './addressed-user.ts'
import { deniesProgram, proveOneself, unproved } from './prove-oneself.ts'
import { userState } from './user-documents.ts'
import { onUserPage } from './user-page.ts'

const linked: WriteSuccess = {
  status: 204,
  headers: [],
  when: 'From now on, whoever has that subject at the provider signs in as the user.',
}
const about = {
  role: 'admin',
  describes: {
    group,
    takes: 'Identity',
    answers: [linked],
    refuses: ['user-not-found', 'stale-revision', 'no-provider', 'invalid-body', ...unproved],
  },
  handle: onUserPage(link),
} as const

/** Who a user is at the OpenID provider. Only admins say so: the provider's names are not ours. decisions/0034 */
export const identityEndpoints: readonly Endpoint[] = [
  {
    ...own,
    ...about,
    method: 'PUT',
    reads: ['application/json'],
    parameters: ['dry-run'],
    path: '/users/:name/identity',
    summary: 'Link a user to the OpenID provider',
  },
  {
    ...writingOwn,
    ...about,
    path: '/users/:name/identities',
    summary: 'Link a user to the OpenID provider, from a page',
  },
]

const members = { ...identityMembers, ...proofMembers }

async function link(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const denied = deniesProgram(found, call)
  if (denied !== undefined) return { problem: denied }
  const failed = checkGuard({ ...asked.guard, required: false }, userState(found.user))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, members)
  const given = readMembers(members, raw)
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const { password, ...identity } = given.values
  const unproven = await proveOneself(found, password, call)
  if (unproven !== undefined) return { problem: unproven }
  const { store, provider, addresses } = call.service
  if (provider === undefined) return { problem: { code: 'no-provider', detail: 'No OpenID provider is set.' } }
  const { name } = found.user
  const { dryRun } = asked
  if (!dryRun) await store.accounts.link(name, { issuer: provider.issuer, ...identity }, authorOf(call))
  return answerWrite(linked, { dryRun, next: addresses.user(name) }, call)
}
