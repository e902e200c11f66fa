import type { ManagedIntent } from '../../model/managed/managed-operation.ts'
import type { ManagedRefusal } from '../../model/managed/refusal.ts'
import type { Work } from './work.ts'

/** Why there is nothing to decide about, or nothing was stored. */
export interface KeeperRefusal {
  readonly refused: ManagedRefusal
}

export const missing = (on: string, id: string): KeeperRefusal => ({ refused: { code: 'missing', on, id } })

/** The earlier result of the same form: nothing is stored or recorded a second time. */
export interface KeptBefore {
  readonly before: unknown
}

/** How the store finds the target of an intent, and stores the result of an operation. */
export interface Keeper {
  /** The facts of a decision, locked until the commit. */
  find(intent: ManagedIntent): Work<object | KeeperRefusal>
  /**
   * By the name of the operation, which determines the types; the intent has its parsed parameters. Returns the stored
   * thing, or a refusal that only the write itself can detect.
   */
  readonly keep: {
    readonly [operation: string]: (
      thing: never,
      intent: ManagedIntent,
      facts: never,
    ) => Work<unknown | KeptBefore | KeeperRefusal>
  }
}
