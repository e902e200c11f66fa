import { nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { assigned, type DocumentFields, secret, type ThingOf } from '../field.ts'
import { defineManaged, type Manager } from '../managed/managed-operation.ts'
import { defineManagedThing } from '../managed/managed-thing.ts'
import { byProgram } from './rights.ts'
import { actorName, type StoredUser, type User } from './user.ts'

const HOUR = 3_600_000

/** Milliseconds without a request after which a session ends. */
export const IDLE_SESSION = 12 * HOUR
/** Milliseconds after which a session ends in any case. */
export const LONGEST_SESSION = 30 * 24 * HOUR

/** A browser that is signed in; its cookie is kept as a hash. */
export const session = defineManagedThing(
  'session',
  {
    id: assigned(uuid),
    user: assigned(actorName),
    /** The browser, as it names itself. */
    client: assigned(nullable(text({ min: 1, max: 200 }))),
    address: assigned(nullable(text({ min: 1, max: 64 }))),
    createdAt: assigned(instant),
    endsAt: assigned(instant),
    seenAt: assigned(instant),
    hash: secret(text({ min: 1, max: 100 })),
    /** When the person showed who they are; null if that is not known. */
    signedInAt: secret(nullable(instant)),
  },
  'seenAt',
)

export type UserSession = ThingOf<DocumentFields<typeof session.fields>>

export interface SessionFacts {
  readonly user: User
  /** When it began. */
  readonly since: string
}

const theirs = ({ user }: { readonly user: User }, _values: unknown, manager: Manager) => byProgram(user, manager)

const end = defineManaged({
  on: 'session',
  name: 'end',
  title: 'End a session',
  params: () => ({}),
  denied: theirs,
  /** When it was last used is no state of it. */
  state: ({ since }: SessionFacts) => ({ revision: 1, updatedAt: since }),
  apply: ({ user }: SessionFacts) => user,
})

const endAll = defineManaged({
  on: 'session',
  name: 'endAll',
  title: 'End all sessions of a user',
  params: () => ({}),
  denied: theirs,
  state: ({ user }: { readonly user: StoredUser }) => user,
  apply: ({ user }: { readonly user: StoredUser }) => user,
})

export const sessionOperations = { end, endAll } as const
