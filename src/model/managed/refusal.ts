import type { Fault } from '../../values/faults/fault.ts'
import type { GuardRefusal } from '../../values/guard.ts'

/** Every reason to refuse a change of what is managed. */
export type ManagedRefusal =
  | { readonly code: 'missing'; readonly on: 'webhook' | 'delivery'; readonly id: string }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly code: 'webhook-ended'; readonly because: string | null }
