import { newKey } from '../../../access/manage.ts'
import { secretHash } from '../../../access/secrets.ts'
import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { Schema } from '../../../model/schema.ts'
import { type ApiKey, keyOperations, keyState } from '../../../model/user/key.ts'
import type { StoredUser } from '../../../model/user/user.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { noSuch } from '../../contract/problems/problem.ts'
import { created, removed, thing, withSecret } from '../../contract/success.ts'
import { managedAddress, managedDocument } from '../../respond/managed-documents.ts'
import { findManaged, managedList } from '../managed-reads.ts'
import { managedWrite } from '../managed-writes.ts'
import { choosingFields } from '../things/thing-members.ts'
import { findUser, group, own } from './addressed-user.ts'
import { theirs } from './managed-user.ts'
import { proved, unproved } from './prove-oneself.ts'

/** The keys of users. */
export const keyEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { keys } = collectionsOf(schema)
  const keyResource = managedNamed(schema, 'key')
  return [
    managedList(keyResource, {
      path: '/users/:name/keys',
      summary: 'Keys of a user',
      about: { group: 'Users', refuses: ['user-not-found'] },
      async scope(call) {
        const found = await findUser(call)
        if ('problem' in found) return found
        return { scope: [equals(keys, 'user', found.user.name)] }
      },
    }),
    ...managedWrite({
      ...theirs,
      operation: keyOperations.create,
      at: 'POST /users/:name/keys',
      success: withSecret(created('keys', 'key')),
      refuses: ['user-not-found', 'invalid-body', 'name-taken', 'too-many-keys', ...unproved],
      prepare: proved(() => {
        const secret = newKey()
        return { prepared: secretHash(secret), secret }
      }),
      show({ facts: { user }, thing: key, dryRun, secret = '' }, { service: { addresses } }) {
        if (dryRun) return { foreseen: () => managedDocument(keyResource, key, addresses) }
        return {
          document: () => managedDocument(keyResource, key, addresses, { once: { secret } }),
          // The address of a key names its user.
          shown: { screen: 'user', user: user as StoredUser, once: { secret } },
          address: managedAddress(keyResource, key, addresses),
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
    ...managedWrite({
      ...theirs,
      operation: keyOperations.withdraw,
      at: 'DELETE /users/:name/keys/:key',
      noun: '/users/:name/keys/:key/withdrawals',
      success: { ...removed('keys', 'key'), when: 'The key is withdrawn.' },
      refuses: [
        ...(['user-not-found', 'key-not-found', 'stale-revision', 'precondition-failed', 'invalid-body'] as const),
        ...unproved,
      ],
      prepare: proved(() => ({ prepared: null })),
      show: ({ facts: { key } }, { service: { addresses } }) => ({
        foreseen: () => managedDocument(keyResource, key, addresses),
        next: addresses.user(key.user ?? ''),
      }),
    }),
  ]
}

async function read(call: Call): Promise<Answer> {
  const found = await findUser(call)
  if ('problem' in found) return found
  const name = call.params.key ?? ''
  const resource = managedNamed(call.schema, 'key')
  const json = await findManaged(resource, { user: found.user.name, name }, call.desk)
  if (json === undefined) return { problem: { code: 'key-not-found', detail: noSuch('key', name) } }
  const key = JSON.parse(json) as ApiKey
  return { status: 200, document: managedDocument(resource, key, call.service.addresses), validators: keyState(key) }
}
