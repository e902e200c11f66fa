import { hashPassword } from '../../../access/password.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { changesAccess, type PreparedUser } from '../../../model/nouns/user/operations.ts'
import { proofMembers } from '../../../model/nouns/user/password.ts'
import { type User, type UserPatch, userPatch } from '../../../model/nouns/user/user.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { changed, created, removed, thing, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { drawFrom } from '../../request/form-seed.ts'
import { auditedDraft } from '../../respond/audited-documents.ts'
import { auditedList } from '../audited/audited-reads.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { collectionEndpoint, latestFirst } from '../collections/collection-endpoint.ts'
import { choosingFields } from '../things/thing-members.ts'
import { findUser, group, own } from './addressed-user.ts'
import { newInvitation } from './invite-user.ts'
import { proveOneself, unproved } from './prove-oneself.ts'
import { theirs } from './their-writes.ts'
import { asUser, showWithUser, userDocument, userOperation, userState } from './user-documents.ts'

const refusesChanges = ['user-not-found', 'last-admin', 'stale-revision', 'revision-required', 'invalid-body'] as const

/** Users, people and the audit. */
export const userEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { users, people, audit } = collectionsOf(schema)
  const resource = resourceNamed(schema, 'user')
  return [
    auditedList(resource, {
      screen: 'users',
    }),
    // Without a password, the answer shows a link with which the user sets one.
    ...auditedWrite({
      ...theirs,
      addressed: () => ({}),
      operation: userOperation(schema, 'create'),
      at: 'POST /users',
      success: withSecret(created('users', 'user')),
      refuses: ['invalid-body', 'name-taken'],
      async prepare({ params, dryRun }, call) {
        const { password, ...fields } = params as { readonly password?: string }
        if (dryRun) return { prepared: null }
        if (password !== undefined) return { prepared: { hash: await hashPassword(password) } satisfies PreparedUser }
        const drawn = drawFrom(call.fields?.get('_seed'), Object.values(fields).map(String), Date.now())
        const { prepared, secret } = newInvitation(drawn.bytes('invitation').toString('base64url'))
        return { prepared: { hash: null, invitation: prepared }, secret }
      },
      show({ thing, dryRun, secret }, call) {
        const { addresses } = call.service
        if (dryRun) return { foreseen: () => auditedDraft(resource, thing, addresses) }
        return showWithUser(thing, secret === undefined ? {} : { invitation: addresses.invitation(secret) }, call)
      },
    }),
    choosingFields(users, {
      ...own,
      method: 'GET',
      path: '/users/:name',
      summary: 'A user',
      describes: { group, answers: [thing('users', 'user')], refuses: ['user-not-found'] },
      handle: read,
    }),
    ...auditedWrite({
      ...theirs,
      operation: userOperation(schema, 'change'),
      at: 'PATCH /users/:name',
      noun: '/users/:name/edits',
      success: changed('users', 'user'),
      refuses: [...refusesChanges, ...unproved],
      fields: fromPage,
      async prepare({ thing, params }, call) {
        const user = thing as unknown as User
        const fields = params as UserPatch & { readonly password?: string }
        const isProof = changesAccess(user, fields) || fields.password !== undefined
        const problem = isProof ? await proveOneself(user, fields.password, call) : undefined
        return problem === undefined ? { prepared: null } : { problem }
      },
      afterwards({ service }) {
        service.access.refresh()
        service.roster.forget()
      },
      show({ thing }, call) {
        const user = asUser(thing)
        const address = call.service.addresses.user(user.name)
        return { document: () => userDocument(user, call), address, validators: userState(user), next: address }
      },
    }),
    ...auditedWrite({
      ...theirs,
      operation: userOperation(schema, 'remove'),
      at: 'DELETE /users/:name',
      noun: '/users/:name/removals',
      success: removed('users'),
      refuses: refusesChanges,
      show: ({ thing }, call) => ({
        foreseen: () => userDocument(asUser(thing), call),
        next: call.service.addresses.users,
      }),
    }),
    collectionEndpoint({
      collection: people,
      about: { group: 'Users' },
      path: '/people',
      summary: 'People',
      screen: 'people',
      itemAddress: ({ name }, { service }) => (typeof name === 'string' ? service.addresses.person(name) : undefined),
      scope: async () => ({ scope: [equals(people, 'disabled', false)] }),
    }),
    auditedList(resourceNamed(schema, 'record'), {
      about: { group: 'Users' },
      screen: 'audit',
      sort: latestFirst(audit),
    }),
  ]
}

async function read(call: Call): Promise<Answer> {
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const document = userDocument(user, call)
  return { status: 200, document, shown: { screen: 'user', user }, validators: userState(user) }
}

/** A page's form shows every field, so an empty one is null. */
function fromPage(fields: ReadonlyMap<string, string>, { schema }: Pick<Call, 'schema'>): unknown {
  const members = userPatch(schema)
  const empty = Object.entries(members).filter(([name, { kind }]) => kind.nullable && !fields.has(name))
  return {
    ...Object.fromEntries(empty.map(([name]) => [name, null])),
    ...(fromFields(fields, { ...members, ...proofMembers }) as object),
  }
}
