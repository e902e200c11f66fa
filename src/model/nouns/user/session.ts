import { nullable } from '../../../values/kinds/kind.ts'
import { text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import type { Caller } from '../../../values/role.ts'
import { assigned, type DocumentFields, secret, type ThingOf } from '../../declaration/field.ts'
import { defineAudited } from '../../declaration/operation.ts'
import { defineResource } from '../../declaration/resource.ts'
import { byProgram } from './rights.ts'
import { actorName } from './user.ts'

const HOUR = 3_600_000

/** Milliseconds without a request after which a session ends. */
export const IDLE_SESSION = 12 * HOUR
/** Milliseconds after which a session ends in any case. */
export const LONGEST_SESSION = 30 * 24 * HOUR

/** A signed-in browser; its cookie is stored as a hash. */
export const session = defineResource({
  feed: 'audit',
  name: 'session',
  plural: 'sessions',
  path: '/users/:user/sessions',
  key: 'id',
  fields: {
    id: assigned(uuid),
    user: assigned(actorName),
    /** The browser, as it names itself. */
    client: assigned(nullable(text({ min: 1, max: 200 }))),
    address: assigned(nullable(text({ min: 1, max: 64 }))),
    createdAt: assigned(instant),
    endsAt: assigned(instant),
    seenAt: assigned(instant),
    hash: secret(text({ min: 1, max: 100 })),
    /** When the person authenticated; null if unknown. */
    signedInAt: secret(nullable(instant)),
  },
  beside: ['seenAt'],
  unfiltered: ['client', 'address'],
  roles: { reads: 'reader', writes: 'reader' },
  privacy: { owner: 'user' },
  presented: { current: { type: 'boolean', description: 'Whether it is the session of this request.' } },
  /** The time of its last use is not part of its state. */
  state: ({ createdAt }) => ({ revision: 1, updatedAt: createdAt }),
  title: ({ client, id }) => ({ text: '{session}', with: { session: client ?? id } }),
})

export type UserSession = ThingOf<DocumentFields<typeof session.fields>>

const end = defineAudited({
  on: session,
  name: 'end',
  noun: 'endings',
  title: 'End a session',
  params: () => ({}),
  removes: true,
  denied: ({ user }, _params, caller: Caller) => byProgram({ name: user }, caller),
  apply: () => ({}),
  audit: { 'session-ended': { title: 'Session ended', of: ({ user }) => ({ user }) } },
})

export const sessionOperations = [end] as const
