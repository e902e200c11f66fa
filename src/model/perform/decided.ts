import type { Deal } from '../deal/deal.ts'
import { allowedOperations } from '../deal/operations.ts'
import type { Operation, Params } from '../operation.ts'
import type { DealRefusal, WrongState } from '../refusal.ts'

/** What came of the change that was asked: the deal as its steps leave it, or why not. */
export type Decided = { readonly deal: Deal; readonly steps: readonly Step[] } | { readonly refused: DealRefusal }

/** One operation, and the deal that it left behind. */
export interface Step {
  readonly operation: Operation
  readonly params: Params
  readonly deal: Deal
}

export function wrongState(operation: Operation, reason: string, deal: Deal, now: string): WrongState {
  const { id, status, held, archived, deletedAt, revision } = deal
  return {
    code: 'wrong-state',
    operation: operation.name,
    reason,
    deal: { id, status, held, archived, deletedAt, revision },
    allowed: allowedOperations(deal, now).map(({ name }) => name),
  }
}
