import type { Params } from './operation.ts'
import type { Thing } from './resource.ts'
import type { Operation } from './schema.ts'

/** The kind of an event: an operation, or an import, which is recorded like one. */
export type Happening = Pick<Operation, 'on' | 'name' | 'words' | 'sentence'>

/** The actor of a change. */
export interface DoneBy {
  /** The user, or a key without a user; null in an open service. */
  readonly actor: string | null
  /** The name of the user's key, if one was used. */
  readonly key?: string | undefined
}

/** One applied operation and the thing after it. */
export interface DomainEvent extends DoneBy {
  readonly operation: Happening
  readonly params: Params
  readonly thing: Thing
  readonly at: string
  /** The form of the request. */
  readonly form: string
  readonly commandId: string | null
}
