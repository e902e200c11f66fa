import { type Fault, isObject, NO_OBJECT, unknownMembers } from '../../../../values/members.ts'
import { MOST_COMMANDS } from '../../../resources/batches/batch-shape.ts'
import { invalidBody, type Problem } from '../../../respond/problems/problem.ts'

/** One request of a batch (OData JSON Format 4.01 §19). */
export interface BatchRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  /** With names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  readonly group: string | undefined
  /** Ids of requests and names of groups that must have succeeded before. */
  readonly dependsOn: readonly string[]
}

/** Requests that take effect together, or one alone. */
export interface RequestRun {
  readonly group: string | undefined
  readonly requests: readonly BatchRequest[]
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Reads a batch as its parts, in their order; every fault is reported. */
export function readBatch(body: unknown): { readonly parts: readonly RequestRun[] } | { readonly problem: Problem } {
  const sent = isObject(body) ? body.requests : undefined
  if (!isObject(body) || !Array.isArray(sent)) return invalid([{ pointer: '/requests', detail: 'must be a list' }])
  if (sent.length > MOST_COMMANDS) {
    return invalid([{ pointer: '/requests', detail: `has ${sent.length} requests; ${MOST_COMMANDS} are allowed` }])
  }
  const faults: Fault[] = [...unknownMembers(body, ['requests'])]
  const parts: { group: string | undefined; requests: BatchRequest[] }[] = []
  const known = new Set<string>()
  for (const [index, raw] of sent.entries()) {
    const found: Fault[] = []
    const request = readRequest(raw, known, found)
    const last = parts.at(-1)
    const { group } = request
    if (known.has(request.id)) found.push({ pointer: '/id', detail: 'is given twice' })
    if (group !== undefined && group === last?.group) last.requests.push(request)
    else {
      if (group !== undefined && known.has(group))
        found.push({ pointer: '/atomicityGroup', detail: 'must be one run of requests' })
      parts.push({ group, requests: [request] })
    }
    known.add(request.id)
    if (group !== undefined) known.add(group)
    faults.push(...found.map((each) => ({ ...each, pointer: `/requests/${index}${each.pointer}` })))
  }
  return faults.length > 0 ? invalid(faults) : { parts }
}

const members = ['id', 'method', 'url', 'headers', 'body', 'atomicityGroup', 'dependsOn']

function readRequest(raw: unknown, known: ReadonlySet<string>, faults: Fault[]): BatchRequest {
  if (!isObject(raw)) faults.push({ pointer: '', detail: NO_OBJECT })
  const sent = isObject(raw) ? raw : {}
  faults.push(...unknownMembers(sent, members))
  const text = (name: string): string => {
    const value = sent[name]
    if (typeof value === 'string' && value !== '') return value
    faults.push({ pointer: `/${name}`, detail: 'must be a text' })
    return ''
  }
  const id = text('id')
  const method = text('method').toUpperCase()
  if (method !== '' && !methods.includes(method))
    faults.push({ pointer: '/method', detail: `must be one of ${methods.join(', ')}` })
  const { headers = {}, dependsOn = [] } = sent
  const named = isObject(headers) ? Object.entries(headers) : undefined
  if (!named?.every(([, value]) => typeof value === 'string')) {
    faults.push({ pointer: '/headers', detail: 'must be an object of texts' })
  }
  const lower = (named ?? []).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
  const repeated = lower.find(([name], at) => lower.findIndex(([other]) => other === name) < at)
  if (repeated !== undefined) faults.push({ pointer: '/headers', detail: `has ${repeated[0]} twice` })
  const needed = Array.isArray(dependsOn) ? dependsOn.map(String) : []
  if (!Array.isArray(dependsOn) || !needed.every((name) => known.has(name))) {
    faults.push({ pointer: '/dependsOn', detail: 'must list requests and groups that come before' })
  }
  return {
    ...{ id, method, url: text('url'), body: sent.body, dependsOn: needed },
    headers: Object.fromEntries(lower),
    group: sent.atomicityGroup === undefined ? undefined : text('atomicityGroup'),
  }
}

const invalid = (faults: readonly Fault[]): { readonly problem: Problem } => ({
  problem: invalidBody(faults),
})
