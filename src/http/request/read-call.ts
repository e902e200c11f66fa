import type { FastifyRequest } from 'fastify'
import type { Schema } from '../../model/declaration/schema.ts'
import type { QueryString } from '../../queries/query-string.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Desk } from '../../store/port/desk.ts'
import { isObject } from '../../values/json/is-object.ts'
import { isUuid } from '../../values/kinds/uuid.ts'
import {
  codingFault,
  jsonAsForm,
  mediaTypeOf,
  type Reading,
  rangeFault,
  SAYS_LITTLE,
  typeFault,
} from '../connection/announced-body.ts'
import { ConnectionPeer } from '../connection/peer.ts'
import { type Call, type Endpoint, HAL, type MediaType } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import type { Outgoing } from '../negotiate/outgoing.ts'
import { readerOf } from '../negotiate/reader.ts'
import { RequestBudget } from './answer-budget.ts'
import { readForm, readJson } from './body.ts'
import { readKnownParameters } from './known-parameters.ts'
import { readQueryBody } from './query-body.ts'

export const mediaTypes: readonly MediaType[] = [
  'application/json',
  'application/merge-patch+json',
  HAL,
  'application/x-www-form-urlencoded',
]

const noParameters = { parameters: new Map<string, string>() } as const
const noBody: ParsedBody = { body: undefined, fields: undefined }

/** A parsed body: a JSON value, the fields of an HTML form, or a query. */
interface ParsedBody extends Pick<Call, 'body' | 'fields' | 'emptied'> {
  /** The query in the content of a QUERY, combined with that of its address. */
  readonly query?: QueryString
}

/** A request as its endpoint sees it, or the fault in its query or body. */
export function readCall(
  request: FastifyRequest,
  { method, parameters: known = [], reads = [] }: Endpoint,
  { query, path, suffix, service, schema, reply }: Outgoing,
  representation: Representation,
  desk: Desk,
): Call | { readonly problem: Problem } {
  const isPlain = query.parameters.length > 0 && typeof known !== 'string'
  const named = isPlain ? readKnownParameters(query, known) : noParameters
  if ('problem' in named) return named
  const partial = rangeFault(request.headers, method)
  if (partial !== undefined) return { problem: partial }
  const reading = { method, reads }
  const isQuery = method === 'QUERY'
  const isIncoming = request.body === request.raw
  const sent =
    (request.body === undefined || isIncoming) && !isQuery
      ? noBody
      : readBody(request, reading, isQuery ? query : undefined, schema)
  if ('problem' in sent) return sent
  const unread = isIncoming ? (codingFault(request.headers) ?? typeFault(request.headers, reading)) : undefined
  if (unread !== undefined) return { problem: unread }
  return {
    ...addressed(request.params as Call['params'], path),
    query: sent.query ?? query,
    suffix,
    parameters: named.parameters,
    headers: request.headers,
    body: sent.body,
    // An answer may follow after the body was abandoned.
    incoming: isIncoming ? request.raw.iterator({ destroyOnReturn: false }) : undefined,
    fields: sent.fields,
    ...(sent.emptied && { emptied: sent.emptied }),
    actor: request.actor,
    role: request.role,
    caller: request.caller,
    desk,
    schema,
    representation: representation.name,
    whole: representation.whole,
    peer: new ConnectionPeer(reply),
    budget: new RequestBudget(service.monitor.answers, reply.raw),
    reader: readerOf(request, service),
    service,
  }
}

/** RFC 9562 §4: an id is read in either case and written in lower case. Ids of commands are the client's own. */
function addressed(params: Call['params'], path: string): Pick<Call, 'params' | 'path'> {
  const { id } = params
  const lower = id?.toLowerCase()
  if (id === undefined || lower === id || !isUuid(lower)) return { params, path }
  return { params: { ...params, id: lower }, path: path.replace(id, lower) }
}

function readBody(
  { body, headers }: FastifyRequest,
  reading: Reading,
  asked: QueryString | undefined,
  schema: Schema,
): ParsedBody | { readonly problem: Problem } {
  const bytes = Buffer.isBuffer(body) ? body : nothing
  if (bytes === nothing && asked === undefined) return noBody
  const coded = codingFault(headers)
  if (coded !== undefined) return { problem: coded }
  const type = mediaTypeOf(headers)
  const isForm = type === 'application/x-www-form-urlencoded'
  if (isForm && looksLikeJson(bytes) && reading.reads.includes('application/json')) {
    return { problem: jsonAsForm(reading) }
  }
  const fault = typeFault(headers, reading)
  // Many clients send a type with every request; without a body it does not matter.
  if (fault !== undefined) return saysNothing(bytes, type) && asked === undefined ? noBody : { problem: fault }
  if (asked !== undefined) {
    const read = readQueryBody(bytes, isForm, asked, schema)
    return 'problem' in read ? read : { ...noBody, query: read.query }
  }
  if (isForm) {
    const form = readForm(bytes)
    return 'problem' in form ? form : { body: undefined, ...form }
  }
  const json = readJson(bytes)
  // decisions/0015: null counts as no body.
  if ('problem' in json) return json
  const content = json.body ?? undefined
  return { body: type === HAL ? withoutLinks(content) : content, fields: undefined }
}

/** A document that was read as HAL may be sent back: `_links` asks for nothing, as `links` in JSON. */
function withoutLinks(body: unknown): unknown {
  if (!isObject(body) || !isObject(body._links)) return body
  const { _links, ...members } = body
  return members
}

const nothing = Buffer.alloc(0)

/** No body is the same as `{}`. */
const saysNothing = (bytes: Buffer, type: string): boolean =>
  bytes.length === 0 ||
  (type === 'application/json' && bytes.length <= SAYS_LITTLE && /^\s*(?:\{\s*\}|null)\s*$/.test(bytes.toString()))

/** A form escapes braces, so a body that begins with one is not a form. */
const looksLikeJson = (bytes: Buffer): boolean => /^\s*[{[]/.test(bytes.toString('latin1', 0, 64))
