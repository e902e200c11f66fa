import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identified } from '../../access/access.ts'
import { StoreUnavailable } from '../../store/port/store.ts'
import { isLoopback } from '../../values/loopback.ts'
import { memoize } from '../../values/memoize.ts'
import { includesRole } from '../../values/role.ts'
import { callerAddress } from '../connection/caller-address.ts'
import type { Service } from '../contract/endpoint.ts'
import { forbidden, type Problem, tooManyRequests, unavailable } from '../contract/problems/problem.ts'
import { detailOf } from '../contract/problems/told-problem.ts'
import type { Need } from '../contract/route.ts'
import { admitAgain } from './admit-again.ts'
import { isPreflight } from './cors.ts'
import { isFromElsewhere, ownOriginsOf } from './cross-site.ts'
import { limitRate } from './rate-limiter.ts'
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
}

/** A request at its route. */
export interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly asked: Demands
}

export interface Admission {
  /** The reason to refuse a request before its body is read, or undefined. Synchronous wherever possible. */
  readonly judge: (arrival: Arrival) => AdmissionProblem | Promise<AdmissionProblem>
  /** The same for the load and the caller, after the body has arrived: credentials that ended meanwhile count. */
  readonly judgeAgain: Admission['judge']
  /** Counts one more request of an admitted caller. */
  readonly countAgain: (arrival: Arrival) => AdmissionProblem
}

type AdmissionProblem = Problem | undefined

/** The one place that decides who may do what, and how often. */
export function openAdmission(service: Service): Admission {
  const { settings, access, cookie, monitor, log } = service
  // With a provider people must sign in, even before the first user exists.
  const mayBeOpen = (isLoopback(settings.host) && settings.oidc === undefined) || settings.setUp
  const judgeEmpty = settings.setUp ? judgeSetUp : judgeOpen
  const limiter = settings.rateLimit === 'off' ? undefined : limitRate(settings.rateLimit)
  const corsOrigins = new Set(settings.corsOrigins)
  const ownOrigins = ownOriginsOf(settings)

  return { judge, judgeAgain, countAgain }

  function judge(arrival: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const { asked } = arrival
    const away = turnAway(asked)
    if (away !== undefined) return away
    if (!mayBeOpen) return judgeClosed(arrival)
    // Public endpoints need no user lookup, so they answer while the store is down.
    const closed = access.hasAny(asked.needs !== 'public' && !asked.always)
    if (closed === true) return judgeClosed(arrival)
    if (closed === false) return judgeEmpty(arrival)
    return closed.then((any) => (any ? judgeClosed : judgeEmpty)(arrival))
  }

  function turnAway({ always }: Demands): AdmissionProblem {
    if (always || !monitor.load.isOver()) return undefined
    monitor.refused.overload++
    return overloaded
  }

  function judgeAgain({ request, reply, asked }: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const away = turnAway(asked)
    // Nothing was awaited, or the caller was not identified.
    if (away !== undefined || request.body === undefined || asked.needs === 'public') return away
    const { caller, role, actor, headers } = request
    const admit = (again: Awaited<ReturnType<typeof admitAgain>>): AdmissionProblem => {
      if ('caller' in again) return void Object.assign(request, again)
      const { problem } = again
      if (problem.code !== 'unauthorized') return problem
      return challenge(request, reply, detailOf(problem), 'Your session has ended.', isBearer(headers.authorization))
    }
    const again = admitAgain({ caller, role, actor, headers, service }, asked.needs)
    return again instanceof Promise ? again.then(admit) : admit(again)
  }

  function countAgain(arrival: Arrival): AdmissionProblem {
    return limit(arrival, arrival.request.actor ?? undefined)
  }

  /** No users yet: every caller on loopback may do everything. */
  function judgeOpen(arrival: Arrival): AdmissionProblem {
    const { request } = arrival
    // Against DNS rebinding: a page whose name resolves to this machine sends its own name as Host.
    // Only HTTP/1.0 may omit Host, and no browser does.
    const { host } = request.headers
    if (host !== undefined && !isLoopbackHost(host)) return misdirected
    if (isFromElsewhere(request.method, request.headers, ownOrigins)) return crossSite
    request.admitted = true
    return limit(arrival, undefined)
  }

  /** No users yet, and the first is created in the browser: nothing else is answered. */
  function judgeSetUp(arrival: Arrival): AdmissionProblem {
    const { request, asked } = arrival
    const isHealth = asked.always && asked.needs === 'public'
    if (!asked.inSetUp && !isHealth) return notSetUp
    if (isFromElsewhere(request.method, request.headers, ownOrigins)) return crossSite
    return limit(arrival, undefined)
  }

  function judgeClosed(arrival: Arrival): AdmissionProblem | Promise<AdmissionProblem> {
    const { request, reply, asked } = arrival
    const { authorization } = request.headers
    const session = authorization === undefined ? cookie.read(request.headers.cookie) : undefined
    // Another site's page can misuse only credentials that a browser adds automatically, never a key.
    if (!isBearer(authorization) && isFromElsewhere(request.method, request.headers, ownOrigins)) return crossSite
    if (isPreflight(request, corsOrigins)) return limit(arrival, undefined)
    if (asked.needs === 'public') return judgePublic(arrival, session)
    if (authorization === undefined && session === undefined) {
      return (
        limit(arrival, undefined) ??
        challenge(request, reply, 'This needs a user or an API key.', 'This page is for people who have an account.')
      )
    }
    const identified = identify(request, session)
    if (!(identified instanceof Promise)) return judgeCaller(arrival, identified)
    const judgeKnown = (known: Identified): AdmissionProblem => judgeCaller(arrival, known)
    if (!asked.always || authorization === undefined) return identified.then(judgeKnown)
    return identified.then(judgeKnown, (cause) => {
      const known = cause instanceof StoreUnavailable ? access.remembered(authorization) : undefined
      if (known === undefined) throw cause
      return judgeKnown(known)
    })
  }

  /** By the header, or else by the cookie. */
  function identify({ headers, ip }: FastifyRequest, session: string | undefined): Identified | Promise<Identified> {
    return session === undefined
      ? access.identify(headers.authorization ?? '', callerAddress(ip))
      : access.identifySession(session)
  }

  /** Public. A page still shows who is signed in; an unknown credential counts as none. */
  function judgePublic(arrival: Arrival, session: string | undefined): AdmissionProblem | Promise<AdmissionProblem> {
    const { request, asked } = arrival
    const { authorization, accept = '' } = request.headers
    const nobody = () => limit(arrival, undefined)
    const isNobody = authorization === undefined && session === undefined
    if (isNobody || asked.always || !accept.includes('text/html')) return nobody()
    const identified = identify(request, session)
    const recognize = (known: Identified): AdmissionProblem => {
      if ('caller' in known) return judgeCaller(arrival, known)
      if (session === undefined) logRefused(request, known.refused)
      return nobody()
    }
    // It answers while the store is down.
    return identified instanceof Promise ? identified.then(recognize, nobody) : recognize(identified)
  }

  function judgeCaller(arrival: Arrival, identified: Identified): AdmissionProblem {
    const { request, reply, asked } = arrival
    if ('refused' in identified) {
      const isKeyOrPassword = request.headers.authorization !== undefined
      if (isKeyOrPassword) logRefused(request, identified.refused)
      if (identified.refused !== 'unknown') return refusedCredential(identified, '')
      return (
        limit(arrival, undefined) ??
        challenge(
          request,
          reply,
          isKeyOrPassword ? 'The credential is not known.' : 'The session has ended.',
          isKeyOrPassword ? 'The name or the password is wrong.' : 'Your session has ended.',
          isBearer(request.headers.authorization),
        )
      )
    }
    const { name, role } = identified.caller
    request.caller = identified.caller
    request.actor = name
    request.role = role
    request.admitted = true
    const limited = limit(arrival, name)
    if (limited !== undefined || asked.needs === 'public' || includesRole(role, asked.needs)) return limited
    return forbidden(asked.needs, { actor: name, role })
  }

  function logRefused({ id, ip }: FastifyRequest, reason: string): void {
    log.info({ id, address: ip, reason }, 'a credential was refused')
  }

  function limit({ request, reply, asked }: Arrival, name: string | undefined): AdmissionProblem {
    if (limiter === undefined || asked.always) return undefined
    // The colon distinguishes user names from addresses.
    const allowance = limiter.take(name === undefined ? callerAddress(request.ip) : `:${name}`, performance.now())
    reply.header('ratelimit-policy', limiter.policy).header('ratelimit', allowance.header)
    if (allowance.allowed) return undefined
    monitor.refused.rate++
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
