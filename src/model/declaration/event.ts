import type { Params } from './operation.ts'
import type { Thing } from './resource.ts'
import type { Operation, Resource } from './schema.ts'

/** The kind of an event: an operation, or an import, or its undoing, which are recorded like one. */
export interface Happening<On extends HappenedTo = HappenedTo> extends Pick<Operation, 'name' | 'words' | 'sentence'> {
  readonly on: On
}

/** The subject of an event: a thing of a resource, or an import. */
export type HappenedTo = Pick<Resource, 'name' | 'privacy'>

/** The actor of a change. */
export interface DoneBy {
  /** The user, or a key without a user; null in an open service. */
  readonly actor: string | null
  /** The name of the user's key, if one was used. */
  readonly key?: string | undefined
  /** The import that did it. */
  readonly importId?: string | undefined
}

/** One applied operation and the thing after it. */
export interface DomainEvent<On extends HappenedTo = Resource> extends DoneBy {
  readonly operation: Happening<On>
  readonly params: Params
  readonly thing: Thing
  readonly at: string
  /** The form of the request. */
  readonly form: string
  readonly commandId: string | null
}
