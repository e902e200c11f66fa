import type { Server } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Schema } from '../../model/schema.ts'
import { bodyBounds, requestBounds } from '../../values/bounds.ts'
import { typeFault } from '../connection/announced-body.ts'
import { fromFramework, onBrokenConnection } from '../connection/framework-errors.ts'
import { answerInTurn } from '../connection/pipelining.ts'
import { guardProtocol } from '../connection/protocol-guard.ts'
import { afterRest } from '../connection/rest-of-body.ts'
import { cutOffSlowReaders } from '../connection/slow-readers.ts'
import { afterMoment, cutOffSlowSenders, type StreamedRequest } from '../connection/slow-senders.ts'
import { type Endpoint, type Service, streamed } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { BY_VALUE } from '../contract/route.ts'
import { allowOrigins, isPreflight, preflightHeaders } from '../gate/cors.ts'
import { installGate } from '../gate/gate.ts'
import { requestIds } from '../gate/request-log.ts'
import { securityHeaders } from '../gate/security-headers.ts'
import { thingOffer } from '../negotiate/negotiation.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'
import { mediaTypes } from '../request/read-call.ts'
import { outgoingOf, routedAddress } from '../request/routed-address.ts'
import { traceRequests } from '../request/trace-requests.ts'
import { deprecationHeaders } from '../respond/deprecation.ts'
import { notFoundAnswer } from '../respond/problems/not-found.ts'
import { storeProblem } from '../respond/problems/store-problem.ts'
import { sendAnswer } from '../respond/send/send.ts'
import { sendProblem } from '../respond/send/send-problem.ts'
import { addRoute } from './route.ts'
import { noDoors, type ServedDoors } from './served-doors.ts'
import { dispatchIn, signInPageFor } from './signing-in-first.ts'

/** Routes requests to the endpoints. Everything that depends neither on a request nor on fields is computed here, once. */
export function buildServer(
  endpointsOf: (schema: Schema) => readonly Endpoint[],
  service: Service,
  doors: ServedDoors = noDoors,
): FastifyInstance {
  const endpoints = endpointsOf(service.store.schemas.current)
  const routes = [...endpoints, ...doors.routes]
  const refuse = (problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
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
  const { logAnswer, logUnread } = service.requestLog
  const literalPaths = new Set(endpoints.map(({ path }) => path).filter((path) => /\.\w+$/.test(path)))
  const byValue = endpoints.flatMap(({ path }) =>
    path.endsWith(BY_VALUE) ? path.slice(0, path.indexOf(':field')) : [],
  )
  const hasNoSuffix = (path: string): boolean =>
    literalPaths.has(path) || doors.has(path) || byValue.some((start) => path.startsWith(start))
  const app = fastify({
    // A logger for each request would cost more than routing; few requests are logged.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBounds.bytes,
    // See slow-senders.ts.
    requestTimeout: 0,
    keepAliveTimeout: 10_000,
    http: {
      headersTimeout: 5000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: requestBounds.head,
      requireHostHeader: false,
    },
    requestIdHeader: false,
    genReqId: requestIds(),
    trustProxy: service.settings.trustProxy.length > 0 && [...service.settings.trustProxy],
    return503OnClosing: false,
    // Fastify's own HEAD routes put Content-Length: 0 on a 304.
    exposeHeadRoutes: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: requestBounds.address,
      querystringParser: () => noParameters,
    },
    schemaController: { compilersFactory: { buildValidator: compilesNothing, buildSerializer: compilesNothing } },
    rewriteUrl: (raw) => routedAddress(raw, hasNoSuffix),
    frameworkErrors(error, request, reply) {
      // No hook is called for requests that are not routed.
      const { ip } = request
      reply.raw.once('finish', () => logAnswer(request, reply, ip, 0))
      reply.headers(securityHeaders(service.settings)).header('request-id', request.id)
      return refuse(fromFramework(error), request, reply)
    },
    clientErrorHandler: (error, socket) =>
      afterMoment(error, socket, () => onBrokenConnection(error, socket, logUnread)),
  })
  if (service.traces !== undefined) traceRequests(app, service.traces)
  countConnections(app.server, service.monitor)
  readBodies(app)
  guardProtocol(app.server, logUnread)
  answerInTurn(app.server)
  allowOrigins(app.server, service.settings.corsOrigins, doors.answerHeaders)
  cutOffSlowReaders(app.server)
  cutOffSlowSenders(app.server)
  const deprecations = deprecationHeaders(service.settings.deprecatedVersions, service.addresses.base)
  const corsOrigins = new Set(service.settings.corsOrigins)
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
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
  const gate = installGate(app, routes, service, refuse, answerNotFound)
  app.addHook('onClose', () => service.imports.ended())
  // Live streams would keep the server from closing.
  app.addHook('preClose', async () => service.feed.close())
  const add = (to: FastifyInstance, endpoint: Endpoint): void =>
    addRoute(to, endpoint, endpointsOf, service, deprecations, gate, answerNotFound)
  for (const endpoint of endpoints) {
    const types = endpoint.reads?.filter((type) => streamed.includes(type)) ?? []
    if (types.length === 0) add(app, endpoint)
    else {
      app.register(async (apart) => {
        readAsItComes(apart, types)
        add(apart, endpoint)
      })
    }
  }
  doors.addTo(app, gate, {
    outgoingOf: (request, reply) => outgoingOf(request, reply, service, thingOffer),
    answerNotFound,
  })
  service.state.dispatch = dispatchIn(app)
  app.setNotFoundHandler(answerNotFound)
  app.setErrorHandler((error: Error & { readonly code?: string }, request, reply) => {
    // If nothing reads a body, its type does not matter.
    if (request.is404 && typeErrors.has(error.code ?? '')) return answerNotFound(request, reply)
    // Fastify would close the connection under a client that still sends, which then never reads why. RFC 9112 §9.6
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') reply.removeHeader('connection')
    afterRest(request.raw, () => refuse(problemOf(error, request, service), request, reply))
    return reply
  })
  return app
}

function countConnections(server: Server, monitor: Service['monitor']): void {
  server.on('connection', (socket) => {
    monitor.connections++
    socket.once('close', () => monitor.connections--)
  })
}

/** Kinds check input and documents are ready text, so Fastify's compilers would only take memory. */
function compilesNothing(): never {
  throw new Error('no route has a schema')
}

const notStored = { vary: 'Accept', 'cache-control': 'no-store' }
const noParameters = {}

/** Bodies stay bytes until their endpoint reads them. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // The endpoint knows its types. Registered ones are looked up faster than `*`.
  for (const type of [...mediaTypes, '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  }
}

/** Some bodies are read as they arrive, by endpoints that are separate from those that need the whole body. */
function readAsItComes(app: FastifyInstance, types: readonly string[]): void {
  app.addContentTypeParser([...types], (request, incoming, done) => {
    ;(request.raw as StreamedRequest).isStreamed = true
    done(null, incoming)
  })
}

const typeErrors: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
])

function problemOf(error: Error & { readonly code?: string }, request: FastifyRequest, { log }: Service): Problem {
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
