import { denial } from '../intent/caller.ts'
import type { Verdict } from '../intent/intent.ts'
import { type Aim, refuse } from './step.ts'

/** The caller may do the operation with this thing. */
export function rights(aim: Aim): Aim | Verdict {
  const { content, before } = aim
  const refusal = denial(content.intent.caller, content.resource, content.operation, before)
  return refusal === undefined ? aim : refuse(refusal)
}
