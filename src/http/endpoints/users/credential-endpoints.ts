import { hashPassword } from '../../../access/password.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { PreparedPassword, UserFacts } from '../../../model/nouns/user/operations.ts'
import type { User } from '../../../model/nouns/user/user.ts'
import type { Preparation } from '../../../store/port/store.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Problem, wrongMember } from '../../contract/problems/problem.ts'
import { created, withSecret } from '../../contract/success.ts'
import { refusedCredential } from '../../gate/refused-credential.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { newInvitation } from './invite-user.ts'
import { proved, proveOneself, unproved } from './prove-oneself.ts'
import { theirs } from './their-writes.ts'
import { asUser, backToUser, showWithUser, userOperation } from './user-documents.ts'

/** A decision about a user that waits for what is prepared. */
interface UserPreparation<Params> extends Omit<Preparation, 'known' | 'params'> {
  readonly known: UserFacts
  readonly params: Params
  readonly dryRun: boolean
}

/** The passwords and invitations of users, and who they are at the OpenID provider. */
export const credentialEndpoints = (schema: Schema): readonly Endpoint[] => [
  // Only admins link a user to the provider: the provider's names are not ours. decisions/0034
  ...auditedWrite({
    ...theirs,
    operation: userOperation(schema, 'link'),
    at: 'PUT /users/:name/identity',
    noun: '/users/:name/identities',
    success: {
      status: 204,
      headers: [],
      when: 'From now on, whoever has that subject at the provider signs in as the user.',
    },
    refuses: ['user-not-found', 'stale-revision', 'no-provider', 'invalid-body', ...unproved],
    async prepare({ thing, params }: UserPreparation<{ readonly subject: string; readonly password?: string }>, call) {
      const problem = await proveOneself(userIn(thing), params.password, call)
      if (problem !== undefined) return { problem }
      const { provider } = call.service
      if (provider === undefined) return { problem: { code: 'no-provider', detail: 'No OpenID provider is set.' } }
      return { prepared: { issuer: provider.issuer, subject: params.subject } }
    },
    show: backToUser,
  }),
  ...auditedWrite({
    ...theirs,
    operation: userOperation(schema, 'setPassword'),
    at: 'PUT /users/:name/password',
    noun: '/users/:name/passwords',
    success: {
      status: 204,
      headers: [],
      when: 'The password is set, and every session of the user has ended.',
    },
    refuses: ['user-not-found', ...unproved, 'stale-revision', 'revision-required', 'invalid-body'],
    async prepare(preparation: UserPreparation<{ readonly password: string; readonly old?: string }>, call) {
      const { thing, known, params, dryRun } = preparation
      const user = userIn(thing)
      const problem = await unprovenOld(user, known, params.old, call)
      if (problem !== undefined) return { problem }
      const hash = dryRun ? '' : await hashPassword(params.password)
      const prepared: PreparedPassword = call.caller?.user === user.name ? { hash, before: known.hash } : { hash }
      return { prepared }
    },
    show({ thing }, { caller, service: { addresses } }) {
      const { name } = asUser(thing)
      return { next: caller?.user === name ? addresses.signIn : addresses.user(name) }
    },
  }),
  ...auditedWrite({
    ...theirs,
    operation: userOperation(schema, 'invite'),
    at: 'POST /users/:name/invitations',
    success: withSecret({ ...created('users', 'user'), when: 'The user, with a link to set a password.' }),
    refuses: ['user-not-found', 'stale-revision', 'invalid-body', ...unproved],
    prepare: proved(() => newInvitation()),
    show: ({ thing, dryRun, secret = '' }, call) =>
      showWithUser(thing, dryRun ? {} : { invitation: call.service.addresses.invitation(secret) }, call),
  }),
]

const userIn = (thing: Preparation['thing']): User => thing as unknown as User

/** A user gives their old password; if there is none, a recent sign-in is enough. */
async function unprovenOld(
  user: User,
  { hash }: UserFacts,
  old: string | undefined,
  call: Call,
): Promise<Problem | undefined> {
  if (hash === null) return proveOneself(user, undefined, call)
  if (call.caller?.user !== user.name) return undefined
  if (old === undefined) return wrongMember('/old', { code: 'required' })
  const given = await call.service.access.prove(user.name, old, call.peer.address)
  return 'refused' in given ? refusedCredential(given, 'The old password is wrong.') : undefined
}
