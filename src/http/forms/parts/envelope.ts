import type { Resource } from '../../../model/declaration/schema.ts'
import { isUpsert } from '../../../model/perform/content.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { isSameId } from '../../../values/kinds/uuid.ts'
import { groupsOf, NO_OBJECT, unknownMembers } from '../../../values/members.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Write } from '../../contract/write.ts'

/** Further members that the body may have: each may repeat an id of the address. */
interface EnvelopeMembers {
  readonly [member: string]: { readonly [what: string]: unknown }
}

/** Reads a body of action and params. A known command may be sent as it was read, with its `assigned` members. */
export function readEnvelope(
  on: Resource,
  body: unknown,
  beside: EnvelopeMembers,
  assigned: readonly string[] = [],
): Write & Required<Pick<Write, 'pointers' | 'faults'>> {
  const { name: resource } = on
  const members = isObject(body) ? body : {}
  const faults: Fault[] = []
  if (body !== undefined && !isObject(body)) faults.push({ ...NO_OBJECT, at: { pointer: '' } })
  const faultsIfNew = assigned
    .filter((name) => Object.hasOwn(members, name))
    .map((name): Fault => ({ code: 'set-by-service', at: { pointer: `/${name}` } }))
  for (const [name, named] of Object.entries(beside)) {
    const [addressed, ...others] = Object.entries(named)
    if (!Object.hasOwn(members, name) || addressed === undefined) continue
    if ([addressed, ...others].some(([, id]) => isSameId(members[name], id))) continue
    const [on, id] = addressed
    faults.push({ code: 'not-addressed', with: { on, id: String(id) }, at: { pointer: `/${name}` } })
  }
  faults.push(...unknownMembers(members, ['action', 'params', ...Object.keys(beside), ...assigned]))
  return {
    resource,
    change: changeIn(on, members),
    pointers: { target: `/${resource}`, action: '/action', params: '/params' },
    faults,
    ...(faultsIfNew.length > 0 && { faultsIfNew }),
  }
}

/** An operation, or an upsert, whose parameters are the fields of the thing. */
function changeIn(resource: Resource, { action, params }: { readonly [member: string]: unknown }): Write['change'] {
  if (!isUpsert(resource, action)) return { action, params }
  return { attributes: params ?? {}, makes: true }
}

/** The members that the service adds to a command. */
export const assignedToCommands = ['status', 'problem', 'revision', 'decidedAt', 'links'] as const

/** A body that asks for an operation and for attributes could mean two things. */
export function ambiguity(resource: Resource, body: unknown): Problem | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'action')) return undefined
  const members = [...resource.names, ...groupsOf(resource.names)]
  const both = members.filter((name) => name !== 'id' && Object.hasOwn(body, name))
  if (both.length === 0) return undefined
  const detail = `The body has an action and also ${both.join(', ')}: send either an operation or attributes.`
  return { code: 'ambiguous-form', detail }
}
