import type { Intent } from '../../model/perform/intent.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Guard } from '../../values/guard.ts'
import type { RefusedCall } from './problems/problem.ts'

/**
 * What a form or a door reads from the content of a request: an intent, but for who asks and for what stands around the
 * content. `src/http/write` performs it.
 */
export interface Write
  extends Pick<Intent, 'resource' | 'target' | 'seen' | 'change' | 'faultsIfNew' | 'command'>,
    WriteWords {
  /** Absent where faults are told as those of a body that consists of the parameters. */
  readonly pointers?: Intent['pointers']
  /** Faults of what stands around the parameters. */
  readonly faults?: Intent['faults']
  /** What stands around this write alone, where one of several has its own. */
  readonly around?: Around
}

/** What the content says of the write itself, in the words that all doors share. They are unknown until they are read. */
export interface WriteWords {
  /** The id under which it is decided once. */
  readonly commandId?: unknown
  /** The revision that the thing must have. */
  readonly expectedRevision?: unknown
  /** Every check, and nothing is stored. */
  readonly dryRun?: unknown
}

export const writeWords = ['commandId', 'expectedRevision', 'dryRun'] as const

/**
 * What stands around the content of a request and speaks of its write: the preconditions of HTTP, `Idempotency-Key` and
 * `dry-run=true`, or the hidden fields of a page's form.
 */
export interface Around {
  readonly guard: Guard
  readonly key?: string | undefined
  /** Absent if the address does not speak of it. */
  readonly dryRun?: boolean | undefined
  /** The index of a write among several: under a key K it has the command id `K.n`, unless the content has one. */
  readonly among?: number
}

/** A write that the store decided. */
export interface Decided<O extends Outcome = Outcome> {
  readonly intent: Intent
  readonly outcome: O
  /** Whether the thing does not exist, because only a dry run makes it: its JSON has no id then. decisions/0009 */
  readonly isDraft: boolean
}

export type Applied = Decided<Extract<Outcome, { readonly kind: 'applied' }>>

/** What became of a write. */
export type WriteOutcome =
  | Decided
  /** It did not come to the store. */
  | RefusedCall
  /** It names the thing of a refused one, whose index this is. */
  | { readonly notTried: number }

export interface WriteOutcomes {
  /** Whether what was applied is kept: not after a dry run, nor where one of an atomic batch was refused. */
  readonly isKept: boolean
  /** In the order of the writes. */
  readonly written: readonly WriteOutcome[]
}
