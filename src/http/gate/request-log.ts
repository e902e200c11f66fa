import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { LoggedRequests } from '../../config.ts'
import { EVENT_STREAM } from '../../events/event-stream.ts'
import { READY } from '../contract/addresses.ts'
import type { RequestLog } from '../contract/service-parts.ts'

/** One line for each request that `LOG_REQUESTS` selects. */
export function requestLog(log: Pick<Logger, 'info' | 'warn'>, logRequests: LoggedRequests): RequestLog {
  let logged = logRequests
  const isLogged = (isProblem: boolean, isWrite: boolean): boolean =>
    isProblem || logged === 'all' || (logged === 'writes' && isWrite)
  return {
    logAll(isWanted) {
      logged = isWanted ? 'all' : logRequests
      return logged
    },
    logAnswer(request, reply, client, milliseconds) {
      const isAnswered = reply.raw.headersSent
      const status = isAnswered ? reply.statusCode : CLIENT_LEFT
      const { method } = request
      const route = request.latencies?.route ?? UNMATCHED
      // Why it is not ready is logged once, however often that is asked.
      const isTold = route === READY && status === 503
      const isProblem = !isTold && (isFailure(status) || (milliseconds > SLOW && !isLive(reply)))
      if (!isLogged(isProblem, writing.has(method))) return
      const entry = {
        id: request.id,
        method,
        route,
        path: pathOf(request, route),
        ...queryOf(request, route),
        status,
        duration: Math.round(milliseconds * 1000) / 1000,
        // A request that is not routed has no caller.
        actor: request.actor ?? null,
        bytes: bytesOf(request, reply),
        client,
        ...agentOf(request),
        ...(request.span && { trace: request.span.traceparent.split('-', 2)[1] }),
      }
      log[isProblem ? 'warn' : 'info'](entry, isAnswered ? ANSWERED : 'the client left')
    },
    logUnread({ id, status, bytes }) {
      const isProblem = isFailure(status)
      if (!isLogged(isProblem, false)) return
      const entry = { id, method: null, route: UNMATCHED, status, duration: 0, actor: null, bytes }
      log[isProblem ? 'warn' : 'info'](entry, ANSWERED)
    },
  }
}

/** Milliseconds. */
const SLOW = 1000
const ANSWERED = 'answered'
/** As in nginx: nobody waited for the answer. */
export const CLIENT_LEFT = 499
export const UNMATCHED = 'unmatched'

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const isFailure = (status: number): boolean => status >= 500 || status === 429

/** A live stream lasts as long as its reader wants. */
const isLive = (reply: FastifyReply): boolean => reply.getHeader('content-type') === EVENT_STREAM

/** Without the secrets in a path. */
export function pathOf({ raw }: FastifyRequest, route: string): string {
  if (secretParameter.test(route)) return route
  return (raw.url ?? '/').split('?', 1)[0]?.replace(secretPlace, '$1…') ?? '/'
}

const secretParameter = /:(?:token|secret)/
// Also if the rest of the address is mistyped, so that no route matches.
const secretPlace = /^(\/+(?:invitations|calendar)\/).*/i

/**
 * The query of a search explains why it was slow. Values that may be secrets are left out, and all of them on sign-in
 * addresses.
 */
function queryOf({ raw }: FastifyRequest, route: string): { readonly query?: string } {
  const [path = '', query] = (raw.url ?? '').split(/\?(.*)/s, 2)
  if (query === undefined || query === '' || secretParameter.test(route) || signingIn.test(path)) return {}
  const isSecret = graphql.test(path) ? isSecretOfGraphql : isSecretName
  const parts = query.slice(0, LONGEST_SHOWN).split('&')
  const shown = parts.map((part) => shownPart(part, isSecret)).join('&')
  return { query: query.length > LONGEST_SHOWN ? `${shown}…` : shown }
}

function shownPart(part: string, isSecret: (name: string) => boolean): string {
  const [name = '', value] = part.split(/=(.*)/s, 2)
  return value !== undefined && isSecret(plainName(name)) ? `${name}=…` : part
}

/** As the service reads it: `%70assword` is a password. An unreadable name may be a secret. */
function plainName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return 'secret'
  }
}

const signingIn = /^\/+(?:sign-in|sign-out|set-up|invitations|calendar)(?:[/.]|$)/i
const graphql = /^\/+graphql(?:[/.]|$)/i
const secretName = /token|secret|password|passwd|key|code|state|signature|auth|session|cookie/i
const isSecretName = (name: string): boolean => secretName.test(name)
/** A GraphQL document, and its variables, may contain a secret anywhere. */
const isSecretOfGraphql = (name: string): boolean => name === 'query' || name === 'variables' || isSecretName(name)
const LONGEST_SHOWN = 500

function agentOf({ headers }: FastifyRequest): { readonly agent?: string } {
  const { 'user-agent': agent } = headers
  return agent === undefined ? {} : { agent: agent.slice(0, LONGEST_AGENT) }
}

const LONGEST_AGENT = 200

/** The bytes of the body; for a stream, those of the connection. */
function bytesOf({ method, raw, streamedFrom }: FastifyRequest, reply: FastifyReply): number {
  if (method === 'HEAD') return 0
  if (typeof streamedFrom === 'number') return (raw.socket.bytesWritten ?? streamedFrom) - streamedFrom
  return Number(reply.getHeader('content-length') ?? 0)
}

/** The id of a request in answers, problems and logs: the one in its headers, or a short one, unique over restarts. */
export function requestIds(): (request: { readonly headers: IncomingHttpHeaders }) => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['request-id'] ?? headers['x-request-id']
    return typeof given === 'string' && sane.test(given) ? given : `${start}-${(++count).toString(36)}`
  }
}

/** Safe in a header, a URN and a log, and not too long. */
const sane = /^[\w.~-]{1,128}$/
