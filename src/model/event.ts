import type { Deal } from './deal/deal.ts'
import type { OperationName } from './deal/operations.ts'
import type { Params } from './operation.ts'

/** What happened: one applied operation and the deal it left behind. */
export interface DealEvent {
  readonly operation: OperationName
  readonly params: Params
  readonly deal: Deal
  readonly at: string
  readonly actor: string | null
  readonly form: FormName
  readonly commandId: string | null
}

/** The ways in which an operation can be asked for. */
export const formNames = [
  'verb',
  'participle',
  'single-update',
  'attribute-update',
  'noun',
  'deal-command',
  'command',
  'command-endpoint',
  'resource',
] as const
export type FormName = (typeof formNames)[number]
