import type { Operation, Params } from './operation.ts'
import type { Thing } from './resource.ts'

/** What an event tells of: an operation, or what is recorded like one. */
export type Happening = Pick<Operation, 'on' | 'name' | 'words' | 'sentence'>

/** What happened: one applied operation and the thing it left behind. */
export interface DomainEvent {
  readonly operation: Happening
  readonly params: Params
  readonly thing: Thing
  readonly at: string
  readonly actor: string | null
  /** The form in which it was asked for. */
  readonly form: string
  readonly commandId: string | null
}
