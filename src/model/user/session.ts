import { nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { assigned, type DocumentFields, secret, type ThingOf } from '../field.ts'
import { defineManaged, type Manager } from '../managed/managed-operation.ts'
import { defineManagedResource } from '../managed/managed-resource.ts'
import { byProgram } from './rights.ts'
import { actorName, type StoredUser, type User } from './user.ts'

const HOUR = 3_600_000

/** Milliseconds without a request after which a session ends. */
export const IDLE_SESSION = 12 * HOUR
/** Milliseconds after which a session ends in any case. */
export const LONGEST_SESSION = 30 * 24 * HOUR

/** A signed-in browser; its cookie is stored as a hash. */
export const session = defineManagedResource({
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
  title: ({ client, id }) => ({ text: '{session}', with: { session: client ?? id } }),
})

export type UserSession = ThingOf<DocumentFields<typeof session.fields>>

export interface SessionFacts {
  readonly user: User
  /** When it began. */
  readonly since: string
}

/** The number of ended sessions of a user. */
export interface EndedSessions {
  readonly user: User
  readonly count: number
}

const theirs = ({ user }: { readonly user: User }, _values: unknown, manager: Manager) => byProgram(user, manager)

const end = defineManaged({
  on: 'session',
  name: 'end',
  title: 'End a session',
  params: () => ({}),
  denied: theirs,
  /** The time of its last use is not part of its state. */
  state: ({ since }: SessionFacts) => ({ revision: 1, updatedAt: since }),
  apply: ({ user }: SessionFacts) => user,
  audit: { 'session-ended': { title: 'Session ended', of: ({ name }) => ({ user: name }) } },
})

const endAll = defineManaged({
  on: 'session',
  name: 'endAll',
  title: 'End all sessions of a user',
  params: () => ({}),
  denied: theirs,
  state: ({ user }: { readonly user: StoredUser }) => user,
  apply: ({ user }: { readonly user: StoredUser }): EndedSessions => ({ user, count: 0 }),
  audit: {
    'sessions-ended': {
      title: 'All sessions ended',
      of: ({ user: { name }, count }) =>
        count === 0 ? undefined : { user: name, detail: count > 1 ? `${count} sessions` : null },
    },
  },
})

export const sessionOperations = { end, endAll } as const
