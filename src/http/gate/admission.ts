import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identified } from '../../access/access.ts'
import type { RefusedCredential } from '../../access/verification.ts'
import { StoreUnavailable } from '../../store/port/store.ts'
import { isLoopback } from '../../values/loopback.ts'
import { memoize } from '../../values/memoize.ts'
import { isAdmitted } from '../../values/role.ts'
import { callerAddress } from '../connection/caller-address.ts'
import type { Service } from '../contract/endpoint.ts'
import { forbidden, type Problem, tooManyRequests, unavailable } from '../contract/problems/problem.ts'
import { detailOf } from '../contract/problems/told-problem.ts'
import type { Need } from '../contract/route.ts'
import { admitAgain } from './admit-again.ts'
import { isPreflight } from './cors.ts'
import { isFromElsewhere, ownOriginsOf } from './cross-site.ts'
import { limitRate, type RateLimiter } from './rate-limiter.ts'
import { challenge, isBearer, refusedCredential } from './refused-credential.ts'

/** The demands of a route on its caller. */
export interface Demands {
  readonly needs: Need
  /**
   * Whether it also answers under overload and beyond the rate limit, and to callers known from before while the store
   * is unavailable.
   */
  readonly always: boolean
  /** Whether it answers before there is a user. */
  readonly inSetUp: boolean
  /** Whether grants may allow what the role does not. */
  readonly byGrants: boolean
}

/** A request at its route. */
export interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly asked: Demands
}

type AdmissionProblem = Problem | undefined

/** The one place that decides who may do what, and how often. */
export class Admission {
  readonly #service: Service
  readonly #mayBeOpen: boolean
  readonly #limiter: RateLimiter | undefined
  readonly #corsOrigins: ReadonlySet<string>
  readonly #ownOrigins: ReadonlySet<string>

  constructor(service: Service) {
    const { settings } = service
    this.#service = service
    // With a provider people must sign in, even before the first user exists.
    this.#mayBeOpen = (isLoopback(settings.host) && settings.oidc === undefined) || settings.setUp
    this.#limiter = settings.rateLimit === 'off' ? undefined : limitRate(settings.rateLimit)
    this.#corsOrigins = new Set(settings.corsOrigins)
    this.#ownOrigins = ownOriginsOf(settings)
  }

  /** The reason to refuse a request before its body is read, or undefined. Synchronous wherever possible. */
  judge(arrival: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const { asked } = arrival
    const away = this.#turnAway(asked)
    if (away !== undefined) return away
    if (!this.#mayBeOpen) return this.#judgeClosed(arrival)
    // Public endpoints need no user lookup, so they answer while the store is down.
    const closed = this.#service.access.hasAny(asked.needs !== 'public' && !asked.always)
    if (closed === true) return this.#judgeClosed(arrival)
    if (closed === false) return this.#judgeEmpty(arrival)
    return closed.then((any) => (any ? this.#judgeClosed(arrival) : this.#judgeEmpty(arrival)))
  }

  /** The same for the load and the caller, after the body has arrived: credentials that ended meanwhile count. */
  judgeAgain({ request, reply, asked }: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const away = this.#turnAway(asked)
    // Nothing was awaited, or the caller was not identified.
    if (away !== undefined || request.body === undefined || asked.needs === 'public') return away
    const { caller, role, actor, headers } = request
    const admit = (again: Awaited<ReturnType<typeof admitAgain>>): AdmissionProblem => {
      if ('caller' in again) return void Object.assign(request, again)
      const { problem } = again
      if (problem.code !== 'unauthorized') return problem
      return challenge(request, reply, detailOf(problem), 'Your session has ended.', isBearer(headers.authorization))
    }
    const again = admitAgain({ caller, role, actor, headers, service: this.#service }, asked.needs, asked.byGrants)
    return again instanceof Promise ? again.then(admit) : admit(again)
  }

  /** Counts one more request of an admitted caller. */
  countAgain(arrival: Arrival): AdmissionProblem {
    return this.#limit(arrival, arrival.request.actor ?? undefined)
  }

  #turnAway({ always }: Demands): AdmissionProblem {
    const { monitor } = this.#service
    if (always || !monitor.load.isOver()) return undefined
    monitor.refused.overload++
    return overloaded
  }

  /** No users yet. */
  #judgeEmpty(arrival: Arrival): AdmissionProblem {
    return this.#service.settings.setUp ? this.#judgeSetUp(arrival) : this.#judgeOpen(arrival)
  }

  /** Every caller on loopback may do everything. */
  #judgeOpen(arrival: Arrival): AdmissionProblem {
    const { request } = arrival
    // Against DNS rebinding: a page whose name resolves to this machine sends its own name as Host.
    // Only HTTP/1.0 may omit Host, and no browser does.
    const { host } = request.headers
    if (host !== undefined && !isLoopbackHost(host)) return misdirected
    if (isFromElsewhere(request.method, request.headers, this.#ownOrigins)) return crossSite
    request.admitted = true
    return this.#limit(arrival, undefined)
  }

  /** The first user is created in the browser: nothing else is answered. */
  #judgeSetUp(arrival: Arrival): AdmissionProblem {
    const { request, asked } = arrival
    const isHealth = asked.always && asked.needs === 'public'
    if (!asked.inSetUp && !isHealth) return notSetUp
    if (isFromElsewhere(request.method, request.headers, this.#ownOrigins)) return crossSite
    return this.#limit(arrival, undefined)
  }

  #judgeClosed(arrival: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const { request, reply, asked } = arrival
    const { authorization } = request.headers
    const session = authorization === undefined ? this.#service.cookie.read(request.headers.cookie) : undefined
    // Another site's page can misuse only credentials that a browser adds automatically, never a key.
    if (!isBearer(authorization) && isFromElsewhere(request.method, request.headers, this.#ownOrigins)) return crossSite
    if (isPreflight(request, this.#corsOrigins)) return this.#limit(arrival, undefined)
    if (asked.needs === 'public') return this.#judgePublic(arrival, session)
    if (authorization === undefined && session === undefined) {
      return (
        this.#limit(arrival, undefined) ??
        challenge(request, reply, 'This needs a user or an API key.', 'This page is for people who have an account.')
      )
    }
    const identified = this.#identify(request, session)
    if (!(identified instanceof Promise)) return this.#judgeCaller(arrival, identified)
    const judgeKnown = (known: Identified): AdmissionProblem => this.#judgeCaller(arrival, known)
    if (!asked.always || authorization === undefined) return identified.then(judgeKnown)
    return identified.then(judgeKnown, (cause) => {
      const known = cause instanceof StoreUnavailable ? this.#service.access.remembered(authorization) : undefined
      if (known === undefined) throw cause
      return judgeKnown(known)
    })
  }

  /** By the header, or else by the cookie. */
  #identify({ headers, ip }: FastifyRequest, session: string | undefined): Identified | Promise<Identified> {
    const { access } = this.#service
    return session === undefined
      ? access.identify(headers.authorization ?? '', callerAddress(ip))
      : access.identifySession(session)
  }

  /** Public. A page still shows who is signed in; an unknown credential counts as none. */
  #judgePublic(arrival: Arrival, session: string | undefined): AdmissionProblem | Promise<AdmissionProblem> {
    const { request, asked } = arrival
    const { authorization, accept = '' } = request.headers
    const nobody = () => this.#limit(arrival, undefined)
    const isNobody = authorization === undefined && session === undefined
    if (isNobody || asked.always || !accept.includes('text/html')) return nobody()
    const identified = this.#identify(request, session)
    const recognize = (known: Identified): AdmissionProblem => {
      if ('caller' in known) return this.#judgeCaller(arrival, known)
      if (session === undefined) this.#logRefused(request, known.refused)
      return nobody()
    }
    // It answers while the store is down.
    return identified instanceof Promise ? identified.then(recognize, nobody) : recognize(identified)
  }

  #judgeCaller(arrival: Arrival, identified: Identified): AdmissionProblem {
    const { request, asked } = arrival
    if ('refused' in identified) return this.#refuse(arrival, identified)
    const { name, role } = identified.caller
    request.caller = identified.caller
    request.actor = name
    request.role = role
    request.admitted = true
    const limited = this.#limit(arrival, name)
    if (limited !== undefined || asked.needs === 'public') return limited
    if (isAdmitted(identified.caller, asked.needs, asked.byGrants)) return limited
    return forbidden(asked.needs, { actor: name, role: identified.caller.own?.join(', ') ?? role })
  }

  #refuse(arrival: Arrival, refused: RefusedCredential): AdmissionProblem {
    const { request, reply } = arrival
    const { authorization } = request.headers
    const isKeyOrPassword = authorization !== undefined
    if (isKeyOrPassword) this.#logRefused(request, refused.refused)
    if (refused.refused !== 'unknown') return refusedCredential(refused, '')
    return (
      this.#limit(arrival, undefined) ??
      challenge(
        request,
        reply,
        isKeyOrPassword ? 'The credential is not known.' : 'The session has ended.',
        isKeyOrPassword ? 'The name or the password is wrong.' : 'Your session has ended.',
        isBearer(authorization),
      )
    )
  }

  #logRefused({ id, ip }: FastifyRequest, reason: string): void {
    this.#service.log.info({ id, address: ip, reason }, 'a credential was refused')
  }

  #limit({ request, reply, asked }: Arrival, name: string | undefined): AdmissionProblem {
    const limiter = this.#limiter
    if (limiter === undefined || asked.always) return undefined
    // The colon distinguishes user names from addresses.
    const allowance = limiter.take(name === undefined ? callerAddress(request.ip) : `:${name}`, performance.now())
    reply.header('ratelimit-policy', limiter.policy).header('ratelimit', allowance.header)
    if (allowance.allowed) return undefined
    this.#service.monitor.refused.rate++
    return tooMany(allowance.retryAfter)
  }
}

const isLoopbackHost = memoize((host) => isLoopback(host.replace(/:\d*$/, '')))

const misdirected: Problem = {
  code: 'misdirected-request',
  detail: 'Without users this service answers only to 127.0.0.1, [::1] and localhost.',
}

const notSetUp: Problem = {
  code: 'set-up-required',
  detail: 'Nobody can sign in yet: open /set-up with the code from the log.',
  headers: { 'retry-after': '60' },
}

const crossSite: Problem = {
  code: 'cross-site-request',
  detail: 'Pages of other sites may not change anything here.',
}

const overloaded: Problem = unavailable('capacity', 'The service is overloaded', 1)

const tooMany = (seconds: number): Problem =>
  tooManyRequests(`The limit is reached; more is allowed in ${seconds} s`, seconds)
