import type { Problem, RefusedCall } from '../../../http/contract/problems/problem.ts'
import { MIXED } from '../../../http/write/write.ts'
import { readQueryString } from '../../../queries/query-string.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { readAroundContent } from '../../kit/around.ts'
import { isElsewhere } from '../../kit/own-address.ts'
import type { OdataCall } from '../entity-body.ts'
import { belowRoot } from '../place.ts'
import type { BatchRequest } from './batch-envelope.ts'

interface WithinBatch {
  readonly call: OdataCall
  /** The entity of each earlier request, as an address below the root or a reference within the group. */
  readonly entities: ReadonlyMap<string, string>
}

/** A request of a batch as if it had come alone. */
export function innerCall(
  request: BatchRequest,
  index: number,
  { call, entities }: WithinBatch,
): OdataCall | RefusedCall {
  if (request.fault !== undefined) return { problem: request.fault }
  const { key, dryRun } = call.around
  const { id, url, method, headers } = request
  const [, named, rest = ''] = /^\/?\$([^/?$][^/?]*)(.*)$/s.exec(url) ?? []
  const isReference = named !== undefined && named !== 'metadata' && named !== 'batch'
  const entity = isReference ? entities.get(named) : undefined
  if (isReference && entity === undefined) return { problem: unknownReference(named) }
  const host = headers.host === undefined ? '' : `//${headers.host}`
  if (isElsewhere(url, call) || isElsewhere(host, call)) return { problem: foreignAddress }
  const [address = '', ...query] = (isReference ? `${entity}${rest}` : belowRoot(url)).split('?')
  const body = withReferences(request.body, entities)
  if ('problem' in body) return body
  const versions = Object.fromEntries(
    inherited.flatMap((name) => (call.headers[name] ? [[name, call.headers[name]]] : [])),
  )
  const inner = {
    ...call,
    method,
    path: `/odata/${address.replace(/^\//, '')}`,
    headers: {
      ...versions,
      ...(key !== undefined && { 'idempotency-key': `${key}.${index}` }),
      ...headers,
      ...notCoded,
    },
    instance: `${call.instance}#${encodeURIComponent(id)}`,
    body: body.body,
  }
  const read = readAroundContent(inner, readQueryString(query.join('?')))
  if ('problem' in read) return read
  const { dryRun: own = dryRun } = read.around
  if (dryRun !== undefined && own !== dryRun) return { problem: MIXED }
  const around = { ...read.around, ...(own !== undefined && { dryRun: own }) }
  return { ...inner, query: read.query, around }
}

/** Only the whole batch is compressed. */
const notCoded = { 'accept-encoding': 'identity' }

const inherited = ['odata-version', 'odata-maxversion', 'accept', 'host']

const foreignAddress: Problem = { code: 'malformed-request', detail: 'This is an address of another service.' }

const unknownReference = (id: string): Problem => ({
  code: 'malformed-request',
  detail: `$${id.slice(0, 64)} names no entity of a request before this one.`,
})

/** Bindings to the entity of an earlier request. */
function withReferences(
  body: unknown,
  entities: ReadonlyMap<string, string>,
): { readonly body: unknown } | RefusedCall {
  if (!isObject(body)) return { body }
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const [, id] = name.endsWith('bind') && typeof value === 'string' ? (/^\/?\$([^/]+)$/.exec(value) ?? []) : []
    const entity = id === undefined ? undefined : entities.get(id)
    if (id !== undefined && entity === undefined) return { problem: unknownReference(id) }
    read[name] = entity ?? value
  }
  return { body: read }
}
