import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { auditedList } from '../audited/audited-reads.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { findUser } from './addressed-user.ts'
import { running } from './running-sessions.ts'
import { belonging, theirs } from './their-writes.ts'
import { backToUser, userOperation } from './user-documents.ts'

const ended: WriteSuccess = { status: 204, headers: [], when: 'It has ended, here at once, elsewhere within a second.' }
const ending = {
  success: ended,
  refuses: [
    ...(['user-not-found', 'forbidden', 'session-not-found', 'stale-revision'] as const),
    ...(['precondition-failed', 'invalid-body'] as const),
  ],
} as const

/** The sessions of users: listed and ended. */
export const sessionEndpoints = (schema: Schema): readonly Endpoint[] => {
  const { sessions } = collectionsOf(schema)
  const resource = resourceNamed(schema, 'session')
  const [end] = resource.operations as readonly [Operation]
  return [
    auditedList(resource, {
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
    ...auditedWrite({
      ...onNoScreen(theirs),
      ...ending,
      operation: userOperation(schema, 'endSessions'),
      at: 'DELETE /users/:name/sessions',
      noun: '/users/:name/session-endings',
      show: backToUser,
    }),
    ...auditedWrite({
      ...onNoScreen(belonging('session')),
      ...ending,
      operation: end,
      at: 'DELETE /users/:name/sessions/:session',
      noun: '/users/:name/sessions/:session/endings',
      show: ({ thing }, { service }) => ({ next: service.addresses.user(String(thing.user)) }),
    }),
  ]
}

const onNoScreen = ({ refused: _screen, ...others }: typeof theirs) => others
