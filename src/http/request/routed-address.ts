import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noQuery, type QueryString, readQueryString } from '../../queries/query-string.ts'
import { representations } from '../../representations/representations.ts'
import type { Service } from '../contract/endpoint.ts'
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

export interface FormatChoice {
  /** The address without its suffix. */
  readonly url: string
  readonly query: QueryString
  /** The format that the address asks for, known or not. */
  readonly forced?: string
}

/**
 * Finds the format that an address asks for: by a registered suffix of its path, on GET and HEAD, or else by `format`
 * in its query, which stays there. `hasNoSuffix` recognises paths whose own name ends like one: /openapi.json, and
 * those of doors. Runs before routing on every request: an address without either costs only two searches.
 */
export function chooseFormat(method: string, url: string, hasNoSuffix: (path: string) => boolean): FormatChoice {
  const mark = url.indexOf('?')
  const end = mark === -1 ? url.length : mark
  const query = mark === -1 ? noQuery : readQueryString(url.slice(mark + 1))
  const dot = url.lastIndexOf('.', end - 1)
  if (dot !== -1 && (method === 'GET' || method === 'HEAD')) {
    const suffix = url.slice(dot + 1, end)
    if (suffixes.has(suffix) && url.startsWith('/') && !hasNoSuffix(url.slice(0, end))) {
      return { url: ownName(url.slice(0, dot)) + url.slice(end), query, forced: suffix }
    }
  }
  const forced = formatIn(query)
  return forced === undefined ? { url, query } : { url, query, forced }
}

const suffixes: ReadonlySet<string> = new Set(representations.map(({ name }) => name))

/** The rest may itself end like a suffix: its dot is escaped, so that links lead to it. */
function ownName(path: string): string {
  const dot = path.lastIndexOf('.')
  const end = path.slice(dot + 1)
  return dot !== -1 && suffixes.has(end) ? `${path.slice(0, dot)}%2E${end}` : path
}

function formatIn({ parameters }: QueryString): string | undefined {
  let found: string | undefined
  for (const { name, value = '' } of parameters) {
    if (name !== 'format') continue
    // Two different formats count as an unknown one.
    found = found === undefined || found === value ? value : `${found},${value}`
  }
  return found
}
