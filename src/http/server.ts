import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { noQuery, type QueryString } from '../queries/query-string.ts'
import { representations } from '../representations/representations.ts'
import { LONGEST_ADDRESS } from '../values/address.ts'
import type { Answer, Headers } from './answer.ts'
import { LARGEST_BODY, typeFault } from './connection/announced-body.ts'
import { fromFramework, onBrokenConnection } from './connection/framework-errors.ts'
import { answerInTurn } from './connection/pipelining.ts'
import { guardProtocol } from './connection/protocol-guard.ts'
import { cutOffSlowReaders } from './connection/slow-readers.ts'
import { cutOffSlowSenders, type StreamedRequest } from './connection/slow-senders.ts'
import type { Door } from './doors/door.ts'
import { doorAt } from './doors/doors.ts'
import { serveDoors } from './doors/serve-doors.ts'
import { type Endpoint, type Service, streamed } from './endpoint.ts'
import { allowOrigins, isPreflight, preflightHeaders } from './gate/cors.ts'
import { type Gate, installGate } from './gate/gate.ts'
import { requestIds } from './gate/request-ids.ts'
import { securityHeaders } from './gate/security-headers.ts'
import { alternateLinks } from './negotiate/alternates.ts'
import { chooseFormat } from './negotiate/format-choice.ts'
import { isWelcome, negotiate, offerAt, type RepresentationOffer, thingOffer } from './negotiate/negotiation.ts'
import { prefersLive } from './negotiate/prefers-live.ts'
import { mediaTypes, readCall } from './request/read-call.ts'
import { traceRequests } from './request/trace-requests.ts'
import { queryTypes } from './resources/collections/query-endpoint.ts'
import { dispatchIn, keepForm, signInPageFor } from './resources/sign-in/signing-in-first.ts'
import { deprecationHeaders } from './respond/deprecation.ts'
import { hasNotice, toldNow } from './respond/notices/done-cookie.ts'
import { readNotice } from './respond/notices/read-notice.ts'
import { withLink } from './respond/page-links.ts'
import { notAvailable } from './respond/problems/not-available.ts'
import { notFoundAnswer } from './respond/problems/not-found.ts'
import type { Problem } from './respond/problems/problem.ts'
import { storeProblem } from './respond/problems/store-problem.ts'
import type { Outgoing } from './respond/send/outgoing.ts'
import { isRead, sendAnswer, sendProblem } from './respond/send/send.ts'

/** Routes requests to the endpoints. Everything that does not depend on a request is computed here, once. */
export function buildServer(
  endpoints: readonly Endpoint[],
  service: Service,
  open: readonly Door[] = [],
): FastifyInstance {
  const doors = serveDoors(open, service)
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
  const hasNoSuffix = (path: string): boolean => literalPaths.has(path) || doors.has(path)
  const app = fastify({
    // A logger for each request would cost more than routing; few requests are logged.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LARGEST_BODY,
    // See slow-senders.ts.
    requestTimeout: 0,
    keepAliveTimeout: 10_000,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384, requireHostHeader: false },
    requestIdHeader: false,
    genReqId: requestIds(),
    trustProxy: service.settings.trustProxy.length > 0 && [...service.settings.trustProxy],
    return503OnClosing: false,
    // Fastify's own HEAD routes put Content-Length: 0 on a 304.
    exposeHeadRoutes: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: LONGEST_ADDRESS,
      querystringParser: () => noParameters,
    },
    schemaController: { compilersFactory: { buildValidator: compilesNothing, buildSerializer: compilesNothing } },
    rewriteUrl(raw) {
      const sent = originForm(raw)
      const { url, query, forced } = chooseFormat(raw.method ?? 'GET', sent, hasNoSuffix)
      ;(raw as RequestState).query = query
      if (forced !== undefined) (raw as RequestState).forced = forced
      if (url.length < sent.length) (raw as RequestState).suffixed = true
      return url
    },
    frameworkErrors(error, request, reply) {
      // No hook is called for what is not routed.
      reply.raw.once('finish', () => logAnswer(request, reply, 0))
      reply.headers(securityHeaders(service.settings)).header('request-id', request.id)
      return refuse(fromFramework(error), request, reply)
    },
    clientErrorHandler: (error, socket) => onBrokenConnection(error, socket, logUnread),
  })
  if (service.traces !== undefined) traceRequests(app, service.traces)
  readBodies(app)
  guardProtocol(app.server, logUnread)
  answerInTurn(app.server)
  cutOffSlowReaders(app.server)
  cutOffSlowSenders(app.server)
  const corsOrigins = new Set(service.settings.corsOrigins)
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const outgoing = outgoingOf(request, reply, service, thingOffer)
    const answer = notFoundAnswer(request.method, outgoing.path, routes, service.addresses)
    if ('problem' in answer) return doors.tell(answer.problem, outgoing) ?? sendProblem(answer.problem, outgoing)
    const allow = 'status' in answer ? answer.headers?.allow : undefined
    if (allow !== undefined && isPreflight(request, corsOrigins)) {
      const more = doorAt(outgoing.path, open)?.headers?.request ?? []
      reply.headers(preflightHeaders(allow, more))
    }
    return sendAnswer(answer, jsonChoice, outgoing)
  }
  const gate = installGate(app, routes, service, refuse, answerNotFound)
  const answerHeaders = open.flatMap(({ headers }) => headers?.answer ?? [])
  allowOrigins(app, service.settings.corsOrigins, answerHeaders)
  const deprecations = deprecationHeaders(service.settings.deprecatedVersions, service.addresses.base)
  app.addHook('onClose', () => service.imports.ended())
  // Live streams would keep the server from closing.
  app.addHook('preClose', async () => service.feed.close())
  const add = (to: FastifyInstance, endpoint: Endpoint): void =>
    addRoute(to, endpoint, service, deprecations, gate, answerNotFound)
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
    // Where nothing reads a body, its type does not matter.
    if (request.is404 && typeErrors.has(error.code ?? '')) return answerNotFound(request, reply)
    return refuse(problemOf(error, request, service), request, reply)
  })
  return app
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

/** Kinds check input and documents are ready text, so Fastify's compilers would only take memory. */
function compilesNothing(): never {
  throw new Error('no route has a schema')
}

interface RequestState {
  query?: QueryString
  forced?: string
  suffixed?: true
}

const notStored = { vary: 'Accept', 'cache-control': 'no-store' }
const noParameters = {}
const jsonChoice = thingOffer.usual

/** Bodies stay bytes until their endpoint reads them. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // The endpoint knows its types. Registered ones are looked up faster than `*`.
  for (const type of [...mediaTypes, '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  }
}

/** Some bodies are read as they come, by an endpoint that is apart from those that want the whole body. */
function readAsItComes(app: FastifyInstance, types: readonly string[]): void {
  app.addContentTypeParser([...types], (request, incoming, done) => {
    ;(request.raw as StreamedRequest).isStreamed = true
    done(null, incoming)
  })
}

function addRoute(
  app: FastifyInstance,
  endpoint: Endpoint,
  service: Service,
  deprecations: (path: string) => { readonly [name: string]: string } | undefined,
  gate: Gate,
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const offer = offerAt(endpoint)
  const headers = { ...deprecations(endpoint.path), ...acceptQuery(endpoint) }
  const hasHeaders = Object.keys(headers).length > 0
  const { load } = service.monitor
  const { turnAway, ...entry } = gate.of(endpoint)
  app.route({
    method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
    url: endpoint.path,
    ...entry,
    handler: async (request, reply) => {
      const outgoing = outgoingOf(request, reply, service, offer)
      // Nobody has been let in: the form is only kept.
      if (request.signsInFirst !== null) return sendProblem(keepForm(request.signsInFirst, outgoing), outgoing)
      if (endpoint.where?.(outgoing.path) === false) return answerNotFound(request, reply)
      if (hasHeaders) reply.headers(headers)
      const away = turnAway()
      if (away !== undefined) return sendProblem(away, outgoing)
      if (endpoint.types !== undefined && !isWelcome(request.headers.accept, outgoing.forced, endpoint.types)) {
        return sendProblem(noSuchType(endpoint.types), outgoing)
      }
      const isLive =
        endpoint.live !== undefined && prefersLive(request.headers.accept, outgoing.forced, offer.representations)
      const chosen =
        isLive || endpoint.offers === 'content' ? jsonChoice : negotiate(request.headers.accept, outgoing.forced, offer)
      if ('unacceptable' in chosen) return sendProblem(notAcceptable(outgoing), outgoing)
      const isPage = chosen.representation.name === 'html'
      // What is read for a page depends on the reader's day, so their profile comes first.
      if (isPage) await service.roster.look()
      const call = readCall(request, endpoint, outgoing, chosen.representation)
      if ('problem' in call) return sendProblem(call.problem, outgoing)
      const handle = (isLive && endpoint.live) || endpoint.handle
      load.inFlight++
      try {
        // Other representations are asked for as this one was.
        const asked = call.query === outgoing.query ? outgoing : { ...outgoing, query: call.query }
        const answer = await handle(call)
        const notice = isPage && isToldNow(answer, request) ? await readNotice(call) : undefined
        if (notice !== undefined) reply.header('set-cookie', toldNow(call))
        const answered = notice === undefined ? asked : { ...asked, notice }
        const sent = sendAnswer(answer, chosen, answered)
        // Awaiting a reply that has ended would cost a turn of the queue.
        return reply.raw.writableEnded ? undefined : sent
      } finally {
        load.inFlight--
      }
    },
  })
}

/** A page tells what was done; what only leads on to one, and an update of a page in the background, do not. */
const isToldNow = (answer: Answer, { method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  hasNotice(headers.cookie) &&
  headers['x-refresh'] === undefined &&
  !('status' in answer && answer.status === 303)

/** RFC 10008 §3: a collection says that it can be queried. */
const acceptQuery = ({ parameters }: Endpoint): Headers =>
  parameters === 'collection' ? { 'accept-query': queryTypes.join(', ') } : {}

function outgoingOf(
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
  offer: RepresentationOffer,
): Outgoing {
  const url = request.raw.url ?? '/'
  const mark = url.indexOf('?')
  const { query = noQuery, forced, suffixed } = request.raw as RequestState
  return {
    request,
    reply,
    service,
    path: mark === -1 ? url : url.slice(0, mark),
    query,
    forced,
    suffix: suffixed ? `.${forced}` : '',
    offer,
  }
}

function notAcceptable({ offer, path, query, request, service }: Outgoing): Problem {
  const available = offer.representations
  const others = isRead(request) ? alternateLinks(path, query, available, undefined, service.addresses.base) : ''
  const link = withLink(undefined, others)
  return { ...notAvailable(available), ...(link !== '' && { headers: { link } }) }
}

/** The same for an endpoint with one fixed type. */
const noSuchType = (types: readonly string[]): Problem => ({
  code: 'not-acceptable',
  detail: `This is available as ${types[0]}.`,
  extra: {
    available: types.slice(0, 1).map((mediaType) => {
      const format = representations.find(({ mediaTypes }) => mediaTypes[0] === mediaType)?.name
      return { ...(format !== undefined && { format }), mediaType }
    }),
  },
})

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
