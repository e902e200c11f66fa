import type { Json } from '../../../values/json/json.ts'
import { amount, LARGEST_AMOUNT } from '../../../values/kinds/money.ts'
import { nameText, text } from '../../../values/kinds/text.ts'
import type { Say, Sentence, UndoStep } from '../../declaration/operation.ts'

// The kinds of parameters that several operations share, also with fields.
export const reason = text({ min: 1, max: 1000 })
export const person = nameText({ min: 1, max: 200 })
export const penalty = amount()
export const positiveAmount = amount({ min: 1, max: LARGEST_AMOUNT })

/** The reason of an operation that an attribute update asked for and that requires one. */
export const ATTRIBUTE_UPDATE = 'attribute update'

/** The same for an operation that undoes another. */
export const UNDO = 'undo'

/** The same for an imported row. */
export const IMPORT = 'import'

/** Reasons that the service filled in, which people do not see. */
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

/** Waives a penalty that was charged by an undone operation. */
export const waiving = (amercement: Json | undefined): readonly UndoStep[] =>
  amercement === undefined || amercement === 0
    ? []
    : [{ operation: 'waive-amercement', params: { amount: amercement, reason: UNDO } }]
