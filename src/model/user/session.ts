import { nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { instant } from '../../values/kinds/time.ts'
import { uuid } from '../../values/kinds/uuid.ts'
import { assigned, kindsOf, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'
import { defineManaged, type Manager } from '../managed/managed-operation.ts'
import { byProgram } from './rights.ts'
import { actorName, type StoredUser, type User } from './user.ts'

const HOUR = 3_600_000

/** Milliseconds without a request after which a session ends. */
export const IDLE_SESSION = 12 * HOUR
/** Milliseconds after which a session ends in any case. */
export const LONGEST_SESSION = 30 * 24 * HOUR

const written = {
  id: assigned(uuid),
  user: assigned(actorName),
  /** The browser, as it names itself. */
  client: assigned(nullable(text({ min: 1, max: 200 }))),
  address: assigned(nullable(text({ min: 1, max: 64 }))),
  createdAt: assigned(instant),
  endsAt: assigned(instant),
}
/** Written at most once a minute, and so beside the document. */
const seen = { seenAt: assigned(instant) }

/** A browser that is signed in; its cookie is kept as a hash. */
export type UserSession = ThingOf<typeof written & typeof seen>

export const sessionKinds = kindsOf({ ...written, ...seen })

export const sessionToDoc: (session: UserSession) => string = jsonWriter(written)

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
