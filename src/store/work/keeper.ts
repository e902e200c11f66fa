import type { ManagedIntent } from '../../model/managed/managed-operation.ts'
import type { ManagedRefusal } from '../../model/managed/refusal.ts'
import type { Work } from './work.ts'

/** How the store finds what an intent is about, and keeps what an operation makes of it. */
export interface Keeper {
  /** What a decision depends on, locked until the commit. */
  find(target: ManagedIntent['target']): Work<object | { readonly missing: ManagedRefusal }>
  /** By the name of the operation, which says what its types are. Answers with what was kept. */
  readonly keep: { readonly [operation: string]: (thing: never, intent: ManagedIntent, facts: never) => Work<unknown> }
}
