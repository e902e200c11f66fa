import { newKey } from '../../../access/as-operator.ts'
import { secretHash } from '../../../access/secrets.ts'
import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import type { ApiKey } from '../../../model/nouns/user/key.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { noSuch } from '../../contract/problems/problem.ts'
import { created, removed, thing, withSecret } from '../../contract/success.ts'
import { auditedAddress, auditedDocument } from '../../respond/audited-documents.ts'
import { auditedList, findAudited } from '../audited/audited-reads.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { choosingFields } from '../things/thing-members.ts'
import { findUser, group, own } from './addressed-user.ts'
import { proved, unproved } from './prove-oneself.ts'
import { belonging } from './their-writes.ts'

/** The keys of users. */
export const keyEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { keys } = collectionsOf(schema)
  const resource = resourceNamed(schema, 'key')
  const [create, withdraw] = resource.operations as readonly [Operation, Operation]
  return [
    auditedList(resource, {
      path: '/users/:name/keys',
      summary: 'Keys of a user',
      about: { group: 'Users', refuses: ['user-not-found'] },
      async scope(call) {
        const found = await findUser(call)
        if ('problem' in found) return found
        return { scope: [equals(keys, 'user', found.user.name)] }
      },
    }),
    ...auditedWrite({
      ...belonging('key'),
      operation: create,
      at: 'POST /users/:name/keys',
      success: withSecret(created('keys', 'key')),
      refuses: ['user-not-found', 'invalid-body', 'name-taken', 'too-many-keys', ...unproved],
      prepare: proved(() => {
        const secret = newKey()
        return { prepared: secretHash(secret), secret }
      }),
      async show({ thing: key, dryRun, secret = '' }, call) {
        const { addresses } = call.service
        if (dryRun) return { foreseen: () => auditedDocument(resource, key, addresses) }
        const found = await findUser(call)
        return {
          document: () => auditedDocument(resource, key, addresses, { once: { secret } }),
          // The address of a key names its user.
          ...('user' in found && { shown: { screen: 'user', user: found.user, once: { secret } } }),
          address: auditedAddress(resource, key, addresses),
        }
      },
    }),
    choosingFields(keys, {
      ...own,
      method: 'GET',
      path: '/users/:name/keys/:key',
      summary: 'A key',
      describes: { group, answers: [thing('keys', 'key')], refuses: ['user-not-found', 'key-not-found'] },
      handle: read,
    }),
    ...auditedWrite({
      ...belonging('key'),
      operation: withdraw,
      at: 'DELETE /users/:name/keys/:key',
      noun: '/users/:name/keys/:key/withdrawals',
      success: { ...removed('keys'), when: 'The key is withdrawn.' },
      refuses: [
        ...(['user-not-found', 'key-not-found', 'stale-revision', 'precondition-failed', 'invalid-body'] as const),
        ...unproved,
      ],
      prepare: proved(() => ({ prepared: null })),
      show: ({ thing: key }, { service: { addresses } }) => ({
        foreseen: () => auditedDocument(resource, key, addresses),
        next: addresses.user(String(key.user)),
      }),
    }),
  ]
}

async function read(call: Call): Promise<Answer> {
  const found = await findUser(call)
  if ('problem' in found) return found
  const name = call.params.key ?? ''
  const resource = resourceNamed(call.schema, 'key')
  const json = await findAudited(resource, { user: found.user.name, name }, call.desk)
  if (json === undefined) return { problem: { code: 'key-not-found', detail: noSuch('key', name) } }
  const key = JSON.parse(json) as ApiKey
  const validators = resource.state?.(key, undefined)
  return {
    status: 200,
    document: auditedDocument(resource, key, call.service.addresses),
    ...(validators && { validators }),
  }
}
