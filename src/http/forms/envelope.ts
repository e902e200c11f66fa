import { type Fault, isObject, unknownMember } from '../../values/members.ts'
import type { Asked } from './form.ts'

/** What else may stand in the body, and the things of the address that it may name again. */
interface Beside {
  readonly [member: string]: { readonly [what: string]: unknown }
}

/** A body of action and params. `assigned` are members that only a known command has: it may be sent as it was read. */
export function readEnvelope(body: unknown, beside: Beside, assigned: readonly string[] = []): Omit<Asked, 'deal'> {
  const members = isObject(body) ? body : {}
  const faults: Fault[] = []
  const faultsIfNew: Fault[] = []
  if (body !== undefined && !isObject(body)) faults.push({ pointer: '', detail: 'must be a JSON object' })
  for (const [name, value] of Object.entries(members)) {
    if (name === 'action' || name === 'params') continue
    const addressed = Object.hasOwn(beside, name) ? Object.entries(beside[name] ?? {}) : undefined
    if (assigned.includes(name)) faultsIfNew.push({ pointer: `/${name}`, detail: 'is assigned by the service' })
    else if (addressed === undefined) faults.push(unknownMember(name, ['action', 'params', ...Object.keys(beside)]))
    else if (addressed.length > 0 && !addressed.some(([, named]) => named === value)) {
      faults.push({ pointer: `/${name}`, detail: `is not the addressed ${addressed[0]?.join(', ')}` })
    }
  }
  return {
    change: { action: members.action, params: members.params },
    pointers: { deal: '/deal', action: '/action', params: '/params' },
    faults,
    ...(faultsIfNew.length > 0 && { faultsIfNew }),
  }
}

/** The members that the service adds to a command. */
export const assignedToCommands = ['status', 'problem', 'revision', 'decidedAt', 'links'] as const
