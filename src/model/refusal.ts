import type { GuardRefusal } from '../values/guard.ts'
import type { Fault } from '../values/members.ts'
import type { Deal } from './deal/deal.ts'

/** Every reason for which a change of a deal is refused. */
export type DealRefusal =
  | { readonly code: 'deal-not-found'; readonly deal: string }
  | { readonly code: 'deal-deleted'; readonly deal: string; readonly deletedAt: string }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly code: 'unknown-action'; readonly pointer: string; readonly detail: string }
  | WrongState
  | { readonly code: 'command-id-reused'; readonly command: string }
  | { readonly code: 'idempotency-key-reused'; readonly command: string }

export interface WrongState {
  readonly code: 'wrong-state'
  readonly operation: string
  readonly reason: string
  readonly deal: Pick<Deal, 'id' | 'status' | 'held' | 'archived' | 'deletedAt' | 'revision'>
  readonly allowed: readonly string[]
}
