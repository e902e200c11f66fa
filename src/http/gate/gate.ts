import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../../access/access.ts'
import type { Latencies } from '../../monitoring/latencies.ts'
import { type Desk, SERVICE } from '../../store/port/desk.ts'
import { formBounds, requestBounds } from '../../values/bounds.ts'
import type { Role } from '../../values/role.ts'
import { announcedFault, type Reading } from '../connection/announced-body.ts'
import { type Expecting, protocolFault } from '../connection/protocol-guard.ts'
import { afterRest } from '../connection/rest-of-body.ts'
import type { Call, Service } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { needs, type Route } from '../contract/route.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'
import { type Arrival, type Demands, openAdmission } from './admission.ts'
import { CLIENT_LEFT, UNMATCHED } from './request-log.ts'
import { routesAt } from './routes-at.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    gate?: GateOf
  }
  interface FastifyRequest {
    /** The caller; null if the service is open or the caller is unknown. */
    caller: Caller | null
    /** The name of the user or key; null if the service is open. */
    actor: string | null
    /** The caller's role; null if the service is open and everything is allowed. */
    role: Role | null
    /** Whether the caller is known or the service open: a page may then link to everything that readers may see. */
    admitted: boolean
    /** Set on a page's form whose sender is no longer signed in: it is kept until they are. */
    signsInFirst: Problem | null
    latencies: Latencies | null
    /** The number of bytes that the socket had sent when a streamed answer began; null if the answer has a length. */
    streamedFrom: number | null
  }
}

/** The facts about a route that the gate knows at start. */
export interface GateOf extends Demands, Reading {
  readonly latencies: Latencies
}

/** The checks and headers that every route shares. */
export interface Gate {
  readonly of: (route: Route) => RouteGate
}

/** The gate for one route. */
export interface RouteGate {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: HookDone) => void
  readonly config: { readonly gate: GateOf }
  /** Repeated when the body has arrived: the reason to refuse, or undefined. */
  readonly judgeAgain: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Problem | undefined | Promise<Problem | undefined>
  /** Counts one more request of the same caller: the reason to refuse it, or undefined. */
  readonly countAgain: (request: FastifyRequest, reply: FastifyReply) => Problem | undefined
}

type HookDone = (error?: Error) => void
type Refuse = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void

export function installGate(
  app: FastifyInstance,
  routes: readonly Route[],
  service: Service,
  refuse: Refuse,
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => void,
): Gate {
  const { monitor, settings, traces } = service
  const { judge, judgeAgain, countAgain } = openAdmission(service)
  const headers = securityHeaders(settings)
  const unmatched: GateOf = {
    needs: 'reader',
    always: false,
    inSetUp: false,
    latencies: monitor.measure('', UNMATCHED),
    method: '',
    reads: [],
  }
  const { logAnswer } = service.requestLog

  app.decorateRequest('caller', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('role', null)
  app.decorateRequest('signsInFirst', null)
  app.decorateRequest('admitted', false)
  app.decorateRequest('latencies', null)
  app.decorateRequest('streamedFrom', null)
  const passages = new Set<GateOf>()
  app.addHook('onRoute', (route) => refuseUndeclared(route, passages))
  app.addHook('onRequest', (request, reply, done) =>
    request.is404 ? enter(request, reply, unmatched, askedAt(request), done) : done(),
  )
  app.addHook('onClose', async () => monitor.load.close())

  return {
    of(route) {
      const { method, path, role, always = false, inSetUp = false, reads = [] } = route
      const gate: GateOf = { needs: role, always, inSetUp, latencies: monitor.measure(method, path), method, reads }
      if (routes.includes(route)) passages.add(gate)
      const asked = (request: FastifyRequest): Demands =>
        route.roleAt === undefined ? gate : askedOf(route, gate, request)
      return {
        // A hook for each route: looking up the gate by the request would cost more than the gate.
        onRequest: (request, reply, done) => enter(request, reply, gate, asked(request), done),
        config: { gate },
        judgeAgain: (request, reply) => judgeAgain({ request, reply, asked: asked(request) }),
        countAgain: (request, reply) => countAgain({ request, reply, asked: gate }),
      }
    },
  }

  function enter(request: FastifyRequest, reply: FastifyReply, gate: GateOf, asked: Demands, done: HookDone): void {
    reply.headers(headers).header('request-id', request.id)
    request.latencies = gate.latencies
    const { ip } = request
    const began = performance.now()
    reply.raw.once('close', () => end(request, reply, ip, performance.now() - began))
    let goOn = done
    if ((request.raw as Expecting).expectsContinue) {
      // A request refused before its body closes the connection; others keep it.
      reply.header('connection', 'close')
      goOn = () => letBodyCome(request, reply, gate, done)
    }
    const { span } = request
    const judged =
      traces === undefined || !span
        ? judge
        : (arrival: Arrival) => traces.within(span, () => traces.part('gate', async () => judge(arrival)))
    const verdict = protocolFault(request.raw) ?? lengthProblem(request) ?? judged({ request, reply, asked })
    if (verdict === undefined) return goOn()
    const conclude = (problem: Problem | undefined): void => {
      if (problem === undefined) return goOn()
      if (!isKept(problem, request, gate)) return afterRest(request.raw, () => refuse(problem, request, reply))
      // The route reads the body and answers with the sign-in page, nothing else.
      request.signsInFirst = problem
      goOn()
    }
    if (!(verdict instanceof Promise)) return conclude(verdict)
    verdict.then(conclude, done)
  }

  /**
   * Also if the client left before the end, for which no hook is called. A request that broke off is logged as unread.
   */
  function end(request: FastifyRequest, reply: FastifyReply, ip: string, milliseconds: number): void {
    const { headersSent } = reply.raw
    request.latencies?.observe(headersSent ? reply.statusCode : CLIENT_LEFT, milliseconds / 1000)
    if (headersSent || request.raw.complete) logAnswer(request, reply, ip, milliseconds)
  }

  /** RFC 9110 §10.1.1: a client that waits to send its body learns at once what the headers decide. */
  function letBodyCome(request: FastifyRequest, reply: FastifyReply, gate: GateOf, done: HookDone): void {
    const problem = gate === unmatched ? undefined : announcedFault(request.headers, gate)
    if (problem !== undefined) return void refuse(problem, request, reply)
    if (gate === unmatched) return void answerNotFound(request, reply)
    reply.removeHeader('connection').raw.writeContinue()
    done()
  }

  /** Public addresses are public for every method. Of others, an anonymous caller cannot learn whether they exist. */
  function askedAt(request: FastifyRequest): Demands {
    const found = routesAt(pathOf(request), routes)
    const isPublic = found.length > 0 && found.every(({ role }) => role === 'public')
    return isPublic ? { ...unmatched, needs: 'public' } : unmatched
  }
}

/** An address that does not exist at all needs only the role of the route, so that a caller with that role gets 404. */
function askedOf({ roleAt, where }: Route, gate: GateOf, request: FastifyRequest): Demands {
  const path = pathOf(request)
  return roleAt === undefined || where?.(path) === false ? gate : { ...gate, needs: roleAt(path) }
}

const pathOf = ({ raw }: FastifyRequest): string => raw.url?.split('?', 1)[0] ?? '/'

/** Whether a form is kept during the sign-in: a page's form that is not too long. */
function isKept({ code }: Problem, request: FastifyRequest, { reads, needs }: GateOf): boolean {
  const { 'content-type': type = '', 'content-length': length } = request.headers
  return (
    code === 'unauthorized' &&
    needs !== 'public' &&
    request.method === 'POST' &&
    reads.includes(FORM) &&
    type.startsWith(FORM) &&
    Number(length) <= formBounds.kept &&
    prefersHtml(request)
  )
}

const FORM = 'application/x-www-form-urlencoded'

function lengthProblem({ raw }: FastifyRequest): Problem | undefined {
  const length = raw.url?.length ?? 0
  if (length <= requestBounds.address) return undefined
  return {
    code: 'address-too-long',
    detail: `The address has ${length} characters; ${requestBounds.address} are allowed.`,
  }
}

/** Every route must be among the endpoints and those of doors, and declare a role: otherwise the service does not start. */
function refuseUndeclared({ method, url, config }: RouteOptions, passages: ReadonlySet<GateOf>): void {
  const gate = config?.gate
  const named = `${[method].flat()[0]} ${url}`
  if (gate === undefined || !needs.includes(gate.needs)) throw new Error(`${named} declares no role`)
  if (!passages.has(gate)) throw new Error(`${named} is none of the endpoints`)
}

/** The desk of the admitted caller. */
export const deskFor = ({ caller }: Pick<Call, 'caller'>, { store }: Pick<Call['service'], 'store'>): Desk =>
  store.as(caller === null ? SERVICE : { name: caller.name, role: caller.role })
