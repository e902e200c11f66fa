import { type Fault, isObject, unknownMember } from '../../values/members.ts'
import type { Asked } from './form.ts'

/** A body of action and params; `beside` names what else may stand there, equal to the addressed deal. */
export function readEnvelope(body: unknown, beside: readonly string[], deal?: unknown): Omit<Asked, 'deal'> {
  const members = isObject(body) ? body : {}
  const faults: Fault[] = []
  if (body !== undefined && !isObject(body)) faults.push({ pointer: '', detail: 'must be a JSON object' })
  for (const [name, value] of Object.entries(members)) {
    if (beside.includes(name)) {
      if (deal !== undefined && value !== deal)
        faults.push({ pointer: `/${name}`, detail: `is not the addressed deal, ${deal}` })
    } else if (name !== 'action' && name !== 'params') faults.push(unknownMember(name, ['action', 'params', ...beside]))
  }
  return {
    change: { action: members.action, params: members.params },
    pointers: { deal: '/deal', action: '/action', params: '/params' },
    faults,
  }
}
