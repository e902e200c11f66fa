import type { Operation, Params } from './operation.ts'
import type { Thing } from './resource.ts'

/** The kind of an event: an operation, or an import, which is recorded like one. */
export type Happening = Pick<Operation, 'on' | 'name' | 'words' | 'sentence'>

/** One applied operation and the thing after it. */
export interface DomainEvent {
  readonly operation: Happening
  readonly params: Params
  readonly thing: Thing
  readonly at: string
  readonly actor: string | null
  /** The form of the request. */
  readonly form: string
  readonly commandId: string | null
}
