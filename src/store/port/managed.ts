import type { ManagedRefusal } from '../../model/managed/refusal.ts'

/** The outcome of a managed intent. */
export type ManagedOutcome =
  | { readonly kind: 'refused'; readonly refusal: ManagedRefusal }
  /** Nothing is wrong so far: the caller repeats the intent with the prepared parts. */
  | { readonly kind: 'prepare'; readonly facts: unknown; readonly values: unknown }
  /** `facts` is the state before, `thing` the stored result. */
  | { readonly kind: 'applied'; readonly facts: unknown; readonly values: unknown; readonly thing: unknown }
