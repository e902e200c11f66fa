import type { Server } from 'node:http'
import fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify'
import type { Schema } from '../../model/declaration/schema.ts'
import { bodyBounds, requestBounds } from '../../values/bounds.ts'
import { fromFramework, onBrokenConnection } from '../connection/framework-errors.ts'
import { answerInTurn } from '../connection/pipelining.ts'
import { guardProtocol } from '../connection/protocol-guard.ts'
import { cutOffSlowReaders } from '../connection/slow-readers.ts'
import { afterMoment, cutOffSlowSenders, type StreamedRequest } from '../connection/slow-senders.ts'
import { type Endpoint, type Service, streamed } from '../contract/endpoint.ts'
import { BY_VALUE } from '../contract/route.ts'
import { allowOrigins } from '../gate/cors.ts'
import { Gate } from '../gate/gate.ts'
import { requestIds } from '../gate/request-log.ts'
import { securityHeaders } from '../gate/security-headers.ts'
import { thingOffer } from '../negotiate/negotiation.ts'
import { mediaTypes } from '../request/read-call.ts'
import { outgoingOf, routedAddress } from '../request/routed-address.ts'
import { traceRequests } from '../request/trace-requests.ts'
import { deprecationHeaders } from '../respond/deprecation.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { addRoute } from './route.ts'
import { noDoors, type ServedDoors } from './served-doors.ts'
import { dispatchIn } from './signing-in-first.ts'

/** Routes requests to the endpoints. Everything that depends neither on a request nor on fields is computed here, once. */
export function buildServer(
  endpointsOf: (schema: Schema) => readonly Endpoint[],
  service: Service,
  doors: ServedDoors = noDoors,
): FastifyInstance {
  const { settings, monitor, requestLog, traces } = service
  const endpoints = endpointsOf(service.store.schemas.current)
  const routes = [...endpoints, ...doors.routes]
  const deprecations = deprecationHeaders(settings.deprecatedVersions, service.addresses.base)
  const refusals = refusalsOf(service, routes, doors, deprecations)
  const { answerNotFound, answerError } = refusals
  const app = fastify(optionsFor(service, refusals, suffixless(endpoints, doors)))
  if (traces !== undefined) traceRequests(app, traces)
  countConnections(app.server, monitor)
  readBodies(app)
  guardProtocol(app.server, requestLog.logUnread)
  answerInTurn(app.server)
  allowOrigins(app.server, settings.corsOrigins, doors.answerHeaders)
  cutOffSlowReaders(app.server)
  cutOffSlowSenders(app.server)
  const gate = new Gate(app, routes, service, refusals)
  app.addHook('onClose', () => service.imports.ended())
  // Live streams would keep the server from closing.
  app.addHook('preClose', async () => service.feed.close())
  for (const endpoint of endpoints) {
    const add = (to: FastifyInstance): void =>
      addRoute(to, endpoint, endpointsOf, service, deprecations, gate, answerNotFound)
    const types = endpoint.reads?.filter((type) => streamed.includes(type)) ?? []
    if (types.length === 0) add(app)
    else {
      app.register(async (apart) => {
        readAsItComes(apart, types)
        add(apart)
      })
    }
  }
  doors.addTo(app, gate, {
    outgoingOf: (request, reply) => outgoingOf(request, reply, service, thingOffer),
    answerNotFound,
  })
  service.state.dispatch = dispatchIn(app)
  app.setNotFoundHandler(answerNotFound)
  app.setErrorHandler(answerError)
  return app
}

function optionsFor(
  service: Service,
  { refuse }: Refusals,
  hasNoSuffix: (path: string) => boolean,
): FastifyHttpOptions<Server> {
  const { settings } = service
  const { logAnswer, logUnread } = service.requestLog
  return {
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
    trustProxy: settings.trustProxy.length > 0 && [...settings.trustProxy],
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
      reply.headers(securityHeaders(settings)).header('request-id', request.id)
      return refuse(fromFramework(error), request, reply)
    },
    clientErrorHandler: (error, socket) =>
      afterMoment(error, socket, () => onBrokenConnection(error, socket, logUnread)),
  }
}

/** Addresses whose end is part of a name, not a representation. */
function suffixless(endpoints: readonly Endpoint[], doors: ServedDoors): (path: string) => boolean {
  const literalPaths = new Set(endpoints.map(({ path }) => path).filter((path) => /\.\w+$/.test(path)))
  const byValue = endpoints.flatMap(({ path }) =>
    path.endsWith(BY_VALUE) ? path.slice(0, path.indexOf(':field')) : [],
  )
  return (path) => literalPaths.has(path) || doors.has(path) || byValue.some((start) => path.startsWith(start))
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
