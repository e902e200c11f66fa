import type { Intent } from '../../model/intent/intent.ts'
import type { Outcome, Preparation } from '../../store/port/store.ts'
import type { Guard } from '../../values/guard.ts'
import type { RefusedCall } from './problems/problem.ts'

/**
 * The content of a request as a form or a door reads it: an intent without its caller and without the options outside
 * the content. `src/http/write` performs it.
 */
export interface Write
  extends Pick<
      Intent,
      'resource' | 'target' | 'within' | 'seen' | 'change' | 'faultsIfNew' | 'command' | 'address' | 'prepared'
    >,
    WriteWords {
  /** Absent if faults are reported as those of a body that consists of the parameters. */
  readonly pointers?: Intent['pointers']
  /** Faults outside the parameters. */
  readonly faults?: Intent['faults']
  /** The content as it was sent, where reading it takes the model: what a repeat under a command id sends again. */
  readonly sent?: unknown
  /** The options of this write, if one of several has its own. */
  readonly around?: Around
  /** Makes what the operation needs from outside the transaction, once nothing else is wrong. */
  readonly prepare?: (preparation: Preparation) => Promise<Prepared | RefusedCall>
}

/** The result of a preparation for the store, and a secret that only the answer contains. */
export interface Prepared {
  readonly prepared: unknown
  readonly secret?: string | undefined
}

/** Options of the write in its content, with the names that all doors share. They are unchecked. */
export interface WriteWords {
  /** The id under which it is decided once. */
  readonly commandId?: unknown
  /** The revision that the thing must have. */
  readonly expectedRevision?: unknown
  /** Every check, but nothing is stored. */
  readonly dryRun?: unknown
}

export const writeWords = ['commandId', 'expectedRevision', 'dryRun'] as const

/**
 * Options of the write outside the content of a request: the preconditions of HTTP, `Idempotency-Key` and
 * `dry-run=true`, or the hidden fields of a page's form.
 */
export interface Around {
  readonly guard: Guard
  readonly key?: string | undefined
  /** Absent if the address does not contain it. */
  readonly dryRun?: boolean | undefined
  /** How texts for persons are read: pages find them by their full names too. */
  readonly persons?: Intent['persons']
  /** The index of a write among several: under a key K it has the command id `K.n`, unless the content has one. */
  readonly among?: number
}

/** A write that the store decided. */
export interface Decided<O extends Outcome = Outcome> {
  readonly intent: Intent
  readonly outcome: O
  /** Whether the thing does not exist, because only a dry run creates it: its JSON then has no id. decisions/0009 */
  readonly isDraft: boolean
  /** Whether the caller does not see the thing any more: it is as removed for them, and no answer has it. */
  readonly isOutOfSight?: boolean
  /** The secret that was drawn for it. */
  readonly secret?: string | undefined
}

export type Applied = Decided<Extract<Outcome, { readonly kind: 'applied' }>>

/** The outcome of a write. */
export type WriteOutcome =
  | Decided
  /** It did not reach the store. */
  | RefusedCall
  /** It refers to a refused one, whose index this is. */
  | { readonly notTried: number }

/** A write that is decided when it is prepared. */
export interface Undecided {
  readonly preparation: Preparation
}

export interface WriteOutcomes {
  /** Whether the applied changes are kept: not after a dry run, nor if one of an atomic batch was refused. */
  readonly isKept: boolean
  /** In the order of the writes. */
  readonly written: readonly WriteOutcome[]
}
