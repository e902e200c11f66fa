import type { ManagedRefusal } from '../../model/managed/refusal.ts'

/** What became of an intent about what is managed. */
export type ManagedOutcome =
  | { readonly kind: 'refused'; readonly refusal: ManagedRefusal }
  /** Nothing is wrong so far: it is asked for again with what the operation needs prepared. */
  | { readonly kind: 'prepare'; readonly facts: unknown; readonly values: unknown }
  /** `facts` is what was known before, `thing` what was kept. */
  | { readonly kind: 'applied'; readonly facts: unknown; readonly values: unknown; readonly thing: unknown }
