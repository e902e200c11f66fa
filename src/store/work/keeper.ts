import type { ManagedIntent } from '../../model/managed/managed-operation.ts'
import type { ManagedRefusal } from '../../model/managed/refusal.ts'
import type { Work } from './work.ts'

/** Why there is nothing to decide about, or nothing was kept. */
export interface KeeperRefusal {
  readonly refused: ManagedRefusal
}

/** How the store finds what an intent is about, and keeps what an operation makes of it. */
export interface Keeper {
  /** What a decision depends on, locked until the commit. */
  find(intent: ManagedIntent): Work<object | KeeperRefusal>
  /**
   * By the name of the operation, which says what its types are; the intent has its parameters as they were read.
   * Answers with what was kept, or with a refusal that only the write itself can find. It writes its entries of the audit.
   */
  readonly keep: { readonly [operation: string]: (thing: never, intent: ManagedIntent, facts: never) => Work<unknown> }
}
