import type { InUse } from '../declaration/refusal.ts'
import type { Verdict } from '../intent/intent.ts'
import { takenValue } from '../intent/unique-values.ts'
import { refuseState } from './command.ts'
import { type Change, refuse } from './step.ts'

/** No other thing has its unique values. */
export function unique(change: Change): Change | Verdict {
  const { content, facts, before, after } = change
  const refusal = takenValue(content.resource, before, after, facts)
  return refusal === undefined ? change : refuse(refusal)
}

/** Nothing needs the part that leaves, or what a changed model no longer has. */
export function inUse(change: Change): Change | Verdict {
  const { content, facts, before, after, steps } = change
  const { intent } = content
  const usedBy = steps.length === 0 || intent.unconditional ? [] : (facts.breaks?.(after, isRemoved(change)) ?? [])
  const occupied = steps.find((step) => step.occupied !== undefined)?.occupied
  if (usedBy.length === 0 && occupied === undefined) return change
  const users = usedBy.length > 0 && { usedBy }
  const refusal: InUse = { code: 'in-use', resource: intent.resource, id: before.id, ...occupied, ...users }
  return occupied === undefined ? refuse(refusal) : refuseState(change, refusal)
}

export const isRemoved = ({ steps }: Change): boolean => steps.some(({ operation }) => operation.removes)
