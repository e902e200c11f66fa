import { invalidBody, type Problem, type RefusedCall, wrongMember } from '../../../http/contract/problems/problem.ts'
import { batchBounds } from '../../../values/bounds.ts'
import { type Fault, type Reason, reason, within } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { NO_OBJECT, unknownMembers } from '../../../values/members.ts'

/** One request of a batch (OData JSON Format 4.01 §19). */
export interface BatchRequest {
  readonly id: string
  /** Whether the client gave it its id. */
  readonly isNamed: boolean
  readonly method: string
  readonly url: string
  /** With names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  /** Why its body cannot be read, which concerns this request alone. */
  readonly fault?: Problem
  readonly group: string | undefined
  /** Ids of requests and names of groups that must have succeeded before. */
  readonly dependsOn: readonly string[]
}

/** Requests that take effect together, or a single one. */
export interface RequestRun {
  readonly group: string | undefined
  readonly requests: readonly [BatchRequest, ...BatchRequest[]]
}

export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Reads a batch as its parts, in order; every fault is reported. */
export function readBatch(body: unknown): { readonly parts: readonly RequestRun[] } | RefusedCall {
  const sent = isObject(body) ? body.requests : undefined
  if (!isObject(body) || !Array.isArray(sent))
    return { problem: wrongMember('/requests', reason('type', { wants: 'list' })) }
  if (sent.length > batchBounds.commands) {
    const facts = { max: batchBounds.commands, count: sent.length, wants: 'requests' }
    return { problem: wrongMember('/requests', reason('too-many', facts)) }
  }
  const faults: Fault[] = [...unknownMembers(body, ['requests'])]
  const parts: { group: string | undefined; requests: [BatchRequest, ...BatchRequest[]] }[] = []
  const known = new Set<string>()
  for (const [index, raw] of sent.entries()) {
    const found: Fault[] = []
    const request = readRequest(raw, known, found)
    const last = parts.at(-1)
    const { group } = request
    if (known.has(request.id)) found.push({ ...reason('repeated', { wants: 'member' }), at: { pointer: '/id' } })
    if (group !== undefined && group === last?.group) last.requests.push(request)
    else {
      if (group !== undefined && known.has(group))
        found.push({ ...reason('malformed', { wants: 'one-run' }), at: { pointer: '/atomicityGroup' } })
      parts.push({ group, requests: [request] })
    }
    known.add(request.id)
    if (group !== undefined) known.add(group)
    faults.push(...found.map((each) => within(`/requests/${index}`, each)))
  }
  return faults.length > 0 ? { problem: invalidBody(faults) } : { parts }
}

const members = ['id', 'method', 'url', 'headers', 'body', 'atomicityGroup', 'dependsOn']

function readRequest(raw: unknown, known: ReadonlySet<string>, faults: Fault[]): BatchRequest {
  const add = (pointer: string, why: Reason): unknown => faults.push({ ...why, at: { pointer } })
  if (!isObject(raw)) add('', NO_OBJECT)
  const sent = isObject(raw) ? raw : {}
  faults.push(...unknownMembers(sent, members))
  const text = (name: string): string => {
    const value = sent[name]
    if (typeof value === 'string' && value !== '') return value
    add(`/${name}`, reason('type', { wants: 'string' }))
    return ''
  }
  const id = text('id')
  const method = text('method').toUpperCase()
  if (method !== '' && !methods.includes(method)) add('/method', reason('not-one-of', { values: methods }))
  const { headers = {}, dependsOn = [] } = sent
  const named = isObject(headers) ? Object.entries(headers) : undefined
  if (!named?.every(([, value]) => typeof value === 'string')) {
    add('/headers', reason('type', { wants: 'object-of-texts' }))
  }
  const lower = (named ?? []).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
  const seen = new Set<string>()
  const repeated = lower.find(([name]) => seen.size === seen.add(name).size)
  if (repeated !== undefined) add('/headers', reason('repeated', { name: repeated[0] }))
  const needed = Array.isArray(dependsOn) ? dependsOn.map(String) : []
  if (!Array.isArray(dependsOn) || !needed.every((name) => known.has(name))) {
    add('/dependsOn', reason('malformed', { wants: 'earlier-requests' }))
  }
  return {
    ...{ id, isNamed: true, method, url: text('url'), body: sent.body, dependsOn: needed },
    headers: Object.fromEntries(lower),
    group: sent.atomicityGroup === undefined ? undefined : text('atomicityGroup'),
  }
}
