import type { Resource } from '../../../model/resource.ts'
import { isSameId } from '../../../values/kinds/uuid.ts'
import { type Fault, isObject, NO_OBJECT, unknownMembers } from '../../../values/members.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import type { FormIntent } from '../form.ts'

/** Further members that the body may have: each may repeat an id of the address. */
interface EnvelopeMembers {
  readonly [member: string]: { readonly [what: string]: unknown }
}

/** Reads a body of action and params. A known command may be sent as it was read, with its `assigned` members. */
export function readEnvelope(
  { name: resource }: Resource,
  body: unknown,
  beside: EnvelopeMembers,
  assigned: readonly string[] = [],
): FormIntent {
  const members = isObject(body) ? body : {}
  const faults: Fault[] = []
  if (body !== undefined && !isObject(body)) faults.push({ pointer: '', detail: NO_OBJECT })
  const faultsIfNew = assigned
    .filter((name) => Object.hasOwn(members, name))
    .map((name) => ({ pointer: `/${name}`, detail: 'is assigned by the service' }))
  for (const [name, named] of Object.entries(beside)) {
    const addressed = Object.entries(named)
    if (!Object.hasOwn(members, name) || addressed.length === 0) continue
    if (!addressed.some(([, id]) => isSameId(members[name], id))) {
      faults.push({ pointer: `/${name}`, detail: `is not the addressed ${addressed[0]?.join(', ')}` })
    }
  }
  faults.push(...unknownMembers(members, ['action', 'params', ...Object.keys(beside), ...assigned]))
  return {
    resource,
    change: { action: members.action, params: members.params },
    pointers: { target: `/${resource}`, action: '/action', params: '/params' },
    faults,
    ...(faultsIfNew.length > 0 && { faultsIfNew }),
  }
}

/** The members that the service adds to a command. */
export const assignedToCommands = ['status', 'problem', 'revision', 'decidedAt', 'links'] as const

/** A body that asks for an operation and for attributes could mean two things. */
export function ambiguity(resource: Resource, body: unknown): Problem | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'action')) return undefined
  const both = resource.names.filter((name) => name !== 'id' && Object.hasOwn(body, name))
  if (both.length === 0) return undefined
  const detail = `The body has an action and also ${both.join(', ')}: send either an operation or attributes.`
  return { code: 'ambiguous-form', detail }
}
