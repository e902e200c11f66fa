import { hashPassword } from '../../../access/password.ts'
import { type KnownUser, userOperations } from '../../../model/user/operations.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Problem, wrongMember } from '../../contract/problems/problem.ts'
import { created, withSecret } from '../../contract/success.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import { managedWrite } from '../managed-writes.ts'
import { newInvitation } from './invite-user.ts'
import { theirs } from './managed-user.ts'
import { proved, proveOneself, unproved } from './prove-oneself.ts'
import { showWithUser } from './user-documents.ts'

/** The passwords and invitations of users, and who they are at the OpenID provider. */
export const credentialEndpoints: readonly Endpoint[] = [
  // Only admins link a user to the provider: the provider's names are not ours. decisions/0034
  ...managedWrite({
    ...theirs,
    role: 'admin',
    operation: userOperations.link,
    at: 'PUT /users/:name/identity',
    noun: '/users/:name/identities',
    success: {
      status: 204,
      headers: [],
      when: 'From now on, whoever has that subject at the provider signs in as the user.',
    },
    refuses: ['user-not-found', 'stale-revision', 'no-provider', 'invalid-body', ...unproved],
    async prepare({ facts, values: { password, subject } }, call) {
      const problem = await proveOneself(facts.user, password, call)
      if (problem !== undefined) return { problem }
      const { provider } = call.service
      if (provider === undefined) return { problem: { code: 'no-provider', detail: 'No OpenID provider is set.' } }
      return { prepared: { issuer: provider.issuer, subject } }
    },
    show: ({ thing: { name } }, { service }) => ({ next: service.addresses.user(name) }),
  }),
  ...managedWrite({
    ...theirs,
    operation: userOperations.setPassword,
    at: 'PUT /users/:name/password',
    noun: '/users/:name/passwords',
    success: {
      status: 204,
      headers: [],
      when: 'The password is set, and every session of the user has ended.',
    },
    refuses: ['user-not-found', ...unproved, 'stale-revision', 'revision-required', 'invalid-body'],
    async prepare({ facts, values, dryRun }, call) {
      const problem = await unprovenOld(facts, values.old, call)
      if (problem !== undefined) return { problem }
      const hash = dryRun ? '' : await hashPassword(values.password)
      return { prepared: call.caller?.user === facts.user.name ? { hash, before: facts.hash } : { hash } }
    },
    show: ({ thing: { name } }, { caller, service: { addresses } }) => ({
      next: caller?.user === name ? addresses.signIn : addresses.user(name),
    }),
  }),
  ...managedWrite({
    ...theirs,
    role: 'admin',
    operation: userOperations.invite,
    at: 'POST /users/:name/invitations',
    success: withSecret({ ...created('users', 'user'), when: 'The user, with a link to set a password.' }),
    refuses: ['user-not-found', 'stale-revision', 'invalid-body', ...unproved],
    prepare: proved(() => newInvitation()),
    show: ({ thing: user, dryRun, secret = '' }, call) =>
      showWithUser(user, dryRun ? {} : { invitation: call.service.addresses.invitation(secret) }, call),
  }),
]

/** A user gives their old password; if there is none, a recent sign-in is enough. */
async function unprovenOld(
  { user, hash }: KnownUser,
  old: string | undefined,
  call: Call,
): Promise<Problem | undefined> {
  if (hash === null) return proveOneself(user, undefined, call)
  if (call.caller?.user !== user.name) return undefined
  if (old === undefined) return wrongMember('/old', { code: 'required' })
  const given = await call.service.access.prove(user.name, old, call.peer.address)
  return 'refused' in given ? refusedCredential(given, 'The old password is wrong.') : undefined
}
