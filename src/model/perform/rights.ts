import { readMembers } from '../../values/members.ts'
import type { Refusal } from '../declaration/refusal.ts'
import { denial } from '../intent/caller.ts'
import type { Verdict } from '../intent/intent.ts'
import { type Aim, refuse } from './step.ts'

/** The caller may do the operation with this thing. */
export function rights(aim: Aim): Aim | Verdict {
  const { content, before, facts } = aim
  const refusal =
    denial(content.intent.caller, content.resource, content.operation, before, facts.meets) ?? ownDenial(aim)
  return refusal === undefined ? aim : refuse(refusal)
}

/** The refusal of an operation that asks more of its caller than a role. */
function ownDenial({ content, before, facts }: Aim): Refusal | undefined {
  const { operation, intent, sent } = content
  if (operation?.denied === undefined || intent.caller === undefined) return undefined
  const read = readMembers(operation.params, sent)
  return operation.denied(before, 'values' in read ? read.values : {}, intent.caller, { known: facts.known as never })
}
