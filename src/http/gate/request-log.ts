import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { LoggedRequests } from '../../config.ts'
import { EVENT_STREAM } from '../../events/event-stream.ts'
import type { OnUnread } from '../connection/framework-errors.ts'

export interface RequestLog {
  readonly logAnswer: (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void
  readonly logUnread: OnUnread
}

/** One line for each request that `LOG_REQUESTS` names. */
export function requestLog(log: Pick<Logger, 'info' | 'warn'>, logRequests: LoggedRequests): RequestLog {
  const isLogged = (isProblem: boolean, isWrite: boolean): boolean =>
    isProblem || logRequests === 'all' || (logRequests === 'writes' && isWrite)
  return {
    logAnswer(request, reply, milliseconds) {
      const isAnswered = reply.raw.headersSent
      const status = isAnswered ? reply.statusCode : CLIENT_LEFT
      const isProblem = isFailure(status) || (milliseconds > SLOW && !isLive(reply))
      const { method } = request
      if (!isLogged(isProblem, writing.has(method))) return
      const route = request.latencies?.route ?? UNMATCHED
      const entry = {
        id: request.id,
        method,
        route,
        path: pathOf(request, route),
        status,
        duration: Math.round(milliseconds * 1000) / 1000,
        // What is not routed has no caller.
        actor: request.actor ?? null,
        bytes: bytesOf(request, reply),
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
/** As nginx says it: nobody waited for the answer. */
const CLIENT_LEFT = 499
export const UNMATCHED = 'unmatched'

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const isFailure = (status: number): boolean => status >= 500 || status === 429

/** A live stream lasts as long as its reader wants. */
const isLive = (reply: FastifyReply): boolean => reply.getHeader('content-type') === EVENT_STREAM

/** Without the query, which may hold personal data and tokens, and without secrets that stand in the path. */
function pathOf({ raw }: FastifyRequest, route: string): string {
  if (secretParameter.test(route)) return route
  return (raw.url ?? '/').split('?', 1)[0]?.replace(secretPlace, '$1…') ?? '/'
}

const secretParameter = /:(?:token|secret)/
// Also where the rest of the address is mistyped, so that no route fits.
const secretPlace = /^(\/+(?:invitations|calendar)\/).*/i

/** The bytes of the body; of a stream, what the connection carried. */
function bytesOf({ method, raw, streamedFrom }: FastifyRequest, reply: FastifyReply): number {
  if (method === 'HEAD') return 0
  if (typeof streamedFrom === 'number') return (raw.socket.bytesWritten ?? streamedFrom) - streamedFrom
  return Number(reply.getHeader('content-length') ?? 0)
}
