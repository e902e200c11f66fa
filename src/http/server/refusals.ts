import type { FastifyReply, FastifyRequest } from 'fastify'
import { typeFault } from '../connection/announced-body.ts'
import { fromFramework } from '../connection/framework-errors.ts'
import { afterRest } from '../connection/rest-of-body.ts'
import type { Service } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import type { Route } from '../contract/route.ts'
import { isPreflight, preflightHeaders } from '../gate/cors.ts'
import type { Refusing } from '../gate/gate.ts'
import { thingOffer } from '../negotiate/negotiation.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'
import { outgoingOf } from '../request/routed-address.ts'
import type { deprecationHeaders } from '../respond/deprecation.ts'
import { notFoundAnswer } from '../respond/problems/not-found.ts'
import { storeProblem } from '../respond/problems/store-problem.ts'
import { sendAnswer } from '../respond/send/send.ts'
import { sendProblem } from '../respond/send/send-problem.ts'
import type { ServedDoors } from './served-doors.ts'
import { signInPageFor } from './signing-in-first.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The answers of a server to what no endpoint answers. */
export interface Refusals extends Refusing {
  readonly refuse: (problem: Problem, ...asked: Parameters<Answer>) => FastifyReply
  readonly answerNotFound: Answer
  readonly answerError: (error: ServerError, ...asked: Parameters<Answer>) => FastifyReply
}

type ServerError = Error & { readonly code?: string }

export function refusalsOf(
  service: Service,
  routes: readonly Route[],
  doors: ServedDoors,
  deprecations: ReturnType<typeof deprecationHeaders>,
): Refusals {
  const corsOrigins = new Set(service.settings.corsOrigins)

  return { refuse, answerNotFound, answerError }

  function refuse(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const page = signInPageFor(problem, request, service)
    if (page !== undefined) {
      return reply
        .removeHeader('www-authenticate')
        .headers({ location: page, ...notStored })
        .code(303)
        .send()
    }
    const outgoing = outgoingOf(request, reply, service, thingOffer)
    return doors.tell(problem, outgoing) ?? sendProblem(problem, outgoing)
  }

  function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const outgoing = outgoingOf(request, reply, service, thingOffer)
    const { method } = request
    const [, search] = /^[^?]*(\?.*)?$/s.exec(request.raw.url ?? '') ?? []
    const lost = { method, path: outgoing.path, search: search ?? '', prefersHtml: prefersHtml(request) }
    const answer = notFoundAnswer(lost, routes, service.addresses)
    // An address that exists, asked with another method.
    if (!('problem' in answer) || answer.problem.code === 'method-not-allowed') {
      reply.headers(deprecations(outgoing.path) ?? {})
    }
    if ('problem' in answer) return doors.tell(answer.problem, outgoing) ?? sendProblem(answer.problem, outgoing)
    const allow = 'status' in answer ? answer.headers?.allow : undefined
    if (allow !== undefined && isPreflight(request, corsOrigins)) {
      reply.headers(preflightHeaders(allow, doors.requestHeaders(outgoing.path)))
    }
    return sendAnswer(answer, thingOffer.usual, outgoing)
  }

  function answerError(error: ServerError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // If nothing reads a body, its type does not matter.
    if (request.is404 && typeErrors.has(error.code ?? '')) return answerNotFound(request, reply)
    // Fastify would close the connection under a client that still sends, which then never reads why. RFC 9112 §9.6
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') reply.removeHeader('connection')
    afterRest(request.raw, () => refuse(problemOf(error, request, service), request, reply))
    return reply
  }
}

const notStored = { vary: 'Accept', 'cache-control': 'no-store' }

const typeErrors: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
])

function problemOf(error: ServerError, request: FastifyRequest, { log }: Service): Problem {
  const { id, headers, routeOptions } = request
  const ofStore = storeProblem(error, id, log)
  if (ofStore !== undefined) return ofStore
  const reading = routeOptions.config?.gate
  const unreadable = typeErrors.has(error.code ?? '') && reading && typeFault(headers, reading)
  if (unreadable) return unreadable
  const known = fromFramework(error)
  if (known.code === 'internal-error') log.error({ id, err: error }, 'a defect')
  return known
}
