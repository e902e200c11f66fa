import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noQuery, type QueryString } from '../../queries/query-string.ts'
import type { Service } from '../contract/endpoint.ts'
import { chooseFormat } from '../negotiate/format-choice.ts'
import type { RepresentationOffer } from '../negotiate/negotiation.ts'
import type { Outgoing } from '../negotiate/outgoing.ts'

/** The parts of a request's address other than its path; stored separately, since routing needs only the path. */
interface RequestState {
  query?: QueryString
  forced?: string
  suffixed?: true
}

/** The address by which a request is routed. */
export function routedAddress(raw: IncomingMessage, hasNoSuffix: (path: string) => boolean): string {
  const sent = originForm(raw)
  const { url, query, forced } = chooseFormat(raw.method ?? 'GET', sent, hasNoSuffix)
  const state = raw as RequestState
  state.query = query
  if (forced !== undefined) state.forced = forced
  if (url.length < sent.length) state.suffixed = true
  return url
}

/** RFC 9112 §3.2.2: a request may have an absolute URI, as to a proxy; its host then replaces Host. */
function originForm(raw: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { url = '/', headers } = raw
  if (url.startsWith('/')) return url
  const [start, authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (start === undefined) return url
  headers.host = authority
  const rest = url.slice(start.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** A routed request with everything that its answer needs. */
export function outgoingOf(
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
  offer: RepresentationOffer,
  schema = service.store.schemas.current,
): Outgoing {
  const url = request.raw.url ?? '/'
  const mark = url.indexOf('?')
  const { query = noQuery, forced, suffixed } = request.raw as RequestState
  return {
    request,
    reply,
    service,
    schema,
    path: mark === -1 ? url : url.slice(0, mark),
    query,
    forced,
    suffix: suffixed ? `.${forced}` : '',
    offer,
  }
}
