import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller as Identified } from '../../access/access.ts'
import type { Latencies } from '../../monitoring/latencies.ts'
import { type Desk, SERVICE } from '../../store/port/desk.ts'
import { formBounds, requestBounds } from '../../values/bounds.ts'
import type { Caller, Role } from '../../values/role.ts'
import { announcedFault, type Reading } from '../connection/announced-body.ts'
import { type Expecting, protocolFault } from '../connection/protocol-guard.ts'
import { afterRest } from '../connection/rest-of-body.ts'
import type { Call, Service } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { needs, type Route } from '../contract/route.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'
import { Admission, type Arrival, type Demands } from './admission.ts'
import { CLIENT_LEFT, UNMATCHED } from './request-log.ts'
import { routesAt } from './routes-at.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    gate?: GateOf
  }
  interface FastifyRequest {
    /** The caller; null if the service is open or the caller is unknown. */
    caller: Identified | null
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

/** The answers in place of those of a route. */
export interface Refusing {
  readonly refuse: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void
  readonly answerNotFound: (request: FastifyRequest, reply: FastifyReply) => void
}

/** The checks and headers that every route shares. */
export class Gate {
  readonly #routes: readonly Route[]
  readonly #service: Service
  readonly #refusing: Refusing
  readonly #admission: Admission
  readonly #headers: ReturnType<typeof securityHeaders>
  readonly #unmatched: GateOf
  readonly #passages = new Set<GateOf>()

  constructor(app: FastifyInstance, routes: readonly Route[], service: Service, refusing: Refusing) {
    this.#routes = routes
    this.#service = service
    this.#refusing = refusing
    this.#admission = new Admission(service)
    this.#headers = securityHeaders(service.settings)
    const latencies = service.monitor.measure('', UNMATCHED)
    this.#unmatched = {
      needs: 'reader',
      always: false,
      inSetUp: false,
      byGrants: false,
      latencies,
      method: '',
      reads: [],
    }
    for (const [name, value] of unknownYet) app.decorateRequest(name, value)
    app.addHook('onRoute', (route) => refuseUndeclared(route, this.#passages))
    app.addHook('onRequest', (request, reply, done) =>
      request.is404 ? this.#enter(request, reply, this.#unmatched, this.#askedAt(request), done) : done(),
    )
    app.addHook('onClose', async () => service.monitor.load.close())
  }

  of(route: Route): RouteGate {
    const { method, path, role, always = false, inSetUp = false, byGrants = false, reads = [] } = route
    const latencies = this.#service.monitor.measure(method, path)
    const gate: GateOf = { needs: role, always, inSetUp, byGrants, latencies, method, reads }
    if (this.#routes.includes(route)) this.#passages.add(gate)
    const asked = (request: FastifyRequest): Demands =>
      route.roleAt === undefined ? gate : askedOf(route, gate, request)
    return {
      // A hook for each route: looking up the gate by the request would cost more than the gate.
      onRequest: (request, reply, done) => this.#enter(request, reply, gate, asked(request), done),
      config: { gate },
      judgeAgain: (request, reply) => this.#admission.judgeAgain({ request, reply, asked: asked(request) }),
      countAgain: (request, reply) => this.#admission.countAgain({ request, reply, asked: gate }),
    }
  }

  #enter(request: FastifyRequest, reply: FastifyReply, gate: GateOf, asked: Demands, done: HookDone): void {
    reply.headers(this.#headers).header('request-id', request.id)
    request.latencies = gate.latencies
    const { ip } = request
    const began = performance.now()
    reply.raw.once('close', () => this.#end(request, reply, ip, performance.now() - began))
    let goOn = done
    if ((request.raw as Expecting).expectsContinue) {
      // A request refused before its body closes the connection; others keep it.
      reply.header('connection', 'close')
      goOn = () => this.#letBodyCome(request, reply, gate, done)
    }
    const verdict = protocolFault(request.raw) ?? lengthProblem(request) ?? this.#judge({ request, reply, asked })
    if (verdict === undefined) return goOn()
    const conclude = (problem: Problem | undefined): void => {
      if (problem === undefined) return goOn()
      if (!isKept(problem, request, gate)) {
        return afterRest(request.raw, () => this.#refusing.refuse(problem, request, reply))
      }
      // The route reads the body and answers with the sign-in page, nothing else.
      request.signsInFirst = problem
      goOn()
    }
    if (!(verdict instanceof Promise)) return conclude(verdict)
    verdict.then(conclude, done)
  }

  #judge(arrival: Arrival): ReturnType<Admission['judge']> {
    const { traces } = this.#service
    const { span } = arrival.request
    if (traces === undefined || !span) return this.#admission.judge(arrival)
    return traces.within(span, () => traces.part('gate', async () => this.#admission.judge(arrival)))
  }

  /**
   * Also if the client left before the end, for which no hook is called. A request that broke off is logged as unread.
   */
  #end(request: FastifyRequest, reply: FastifyReply, ip: string, milliseconds: number): void {
    const { headersSent } = reply.raw
    request.latencies?.observe(headersSent ? reply.statusCode : CLIENT_LEFT, milliseconds / 1000)
    if (headersSent || request.raw.complete) this.#service.requestLog.logAnswer(request, reply, ip, milliseconds)
  }

  /** RFC 9110 §10.1.1: a client that waits to send its body learns at once what the headers decide. */
  #letBodyCome(request: FastifyRequest, reply: FastifyReply, gate: GateOf, done: HookDone): void {
    if (gate === this.#unmatched) return void this.#refusing.answerNotFound(request, reply)
    const problem = announcedFault(request.headers, gate)
    if (problem !== undefined) return void this.#refusing.refuse(problem, request, reply)
    reply.removeHeader('connection').raw.writeContinue()
    done()
  }

  /** Public addresses are public for every method. Of others, an anonymous caller cannot learn whether they exist. */
  #askedAt(request: FastifyRequest): Demands {
    const found = routesAt(pathOf(request), this.#routes)
    const isPublic = found.length > 0 && found.every(({ role }) => role === 'public')
    return isPublic ? { ...this.#unmatched, needs: 'public' } : this.#unmatched
  }
}

/** The members of a request before its admission. */
const unknownYet = [
  ['caller', null],
  ['actor', null],
  ['role', null],
  ['signsInFirst', null],
  ['admitted', false],
  ['latencies', null],
  ['streamedFrom', null],
] as const

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
  store.as(caller === null ? SERVICE : askingCaller(caller))

/** Without what only identifies the session. */
const askingCaller = ({ name, role, own, user, key, by }: Identified): Caller => ({
  ...{ name, role, user, key, by },
  ...(own && { own }),
})
