import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { Schema } from '../../../model/schema.ts'
import { sessionOperations } from '../../../model/user/session.ts'
import type { User } from '../../../model/user/user.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { managedList } from '../managed-reads.ts'
import { managedWrite } from '../managed-writes.ts'
import { findUser } from './addressed-user.ts'
import { theirs } from './managed-user.ts'
import { running } from './running-sessions.ts'

const ended: WriteSuccess = { status: 204, headers: [], when: 'It has ended, here at once, elsewhere within a second.' }
const { refused: _onNoScreen, ...managed } = theirs
const ending = {
  ...managed,
  success: ended,
  refuses: [
    ...(['user-not-found', 'forbidden', 'session-not-found', 'stale-revision'] as const),
    ...(['precondition-failed', 'invalid-body'] as const),
  ],
  show: ({ facts: { user } }: { readonly facts: { readonly user: User } }, { service }: Call) => ({
    next: service.addresses.user(user.name),
  }),
} as const

/** The sessions of users: listed and ended. */
export const sessionEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { sessions } = collectionsOf(schema)
  return [
    managedList(managedNamed(schema, 'session'), {
      path: '/users/:name/sessions',
      summary: 'Sessions of a user',
      about: { group: 'Users', refuses: ['user-not-found'] },
      async scope(call) {
        const found = await findUser(call)
        return 'problem' in found ? found : { scope: running(sessions, found.user.name, Date.now()) }
      },
      present: (json, { caller }) => {
        const { id } = JSON.parse(json) as { readonly id: string }
        return `${json.slice(0, -1)},"current":${id === caller?.session}}`
      },
    }),
    ...managedWrite({
      ...ending,
      operation: sessionOperations.endAll,
      at: 'DELETE /users/:name/sessions',
      noun: '/users/:name/session-endings',
    }),
    ...managedWrite({
      ...ending,
      operation: sessionOperations.end,
      at: 'DELETE /users/:name/sessions/:session',
      noun: '/users/:name/sessions/:session/endings',
    }),
  ]
}
