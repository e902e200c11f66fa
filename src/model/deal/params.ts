import type { Json } from '../../values/kinds/kind.ts'
import { amount, LARGEST_AMOUNT } from '../../values/kinds/money.ts'
import { nameText, text } from '../../values/kinds/text.ts'
import type { Say, Sentence, UndoStep } from '../operation.ts'

// The kinds of parameters that several operations share, and fields with them.
export const reason = text({ min: 1, max: 1000 })
export const person = nameText({ min: 1, max: 200 })
export const penalty = amount()
export const positiveAmount = amount({ min: 1, max: LARGEST_AMOUNT })

/** The reason of an operation that was asked for by an attribute update and requires one. */
export const ATTRIBUTE_UPDATE = 'attribute update'

/** The same for one that undoes another. */
export const UNDO = 'undo'

/** The same for an imported row. */
export const IMPORT = 'import'

/** The reasons of operations that nobody gave a reason for, as far as people are told. */
export const ownReasons: readonly string[] = [UNDO, IMPORT]

/** The sentence about an operation that may charge a penalty. */
export const withPenalty = <T>(
  amercement: Json | undefined,
  say: Say<T>,
  plain: string,
  charged: string,
): Sentence<T> =>
  amercement === undefined || amercement === 0
    ? { done: plain }
    : { done: charged, with: { penalty: say.amount(amercement) } }

/** Takes back a penalty that was charged with something that is undone. */
export const waiving = (amercement: Json | undefined): readonly UndoStep[] =>
  amercement === undefined || amercement === 0
    ? []
    : [{ operation: 'waive-amercement', params: { amount: amercement, reason: UNDO } }]
