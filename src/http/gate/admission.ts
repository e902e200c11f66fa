import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identified } from '../../access/access.ts'
import { isLoopback } from '../../values/loopback.ts'
import { remembered } from '../../values/remembered.ts'
import { includesRole } from '../../values/role.ts'
import type { Need, Service } from '../endpoint.ts'
import type { Problem } from '../respond/problem.ts'
import { callerAddress } from './caller-address.ts'
import { isPreflight } from './cors.ts'
import { isFromElsewhere } from './cross-site.ts'
import { limitRate } from './rate-limiter.ts'

/** What the route that a request reached asks of its caller. */
export interface Asked {
  readonly needs: Need
  /** Answers also under overload and beyond the rate limit. */
  readonly always: boolean
}

export interface Admission {
  /** Why the request may not go on, before its body is read; nothing when it may. At once wherever that is possible. */
  readonly judge: (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Verdict | Promise<Verdict>
  /** The same question about the load alone, for when the body has come. */
  readonly turnAway: (asked: Asked) => Verdict
}

type Verdict = Problem | undefined

/** The one place where it is decided who may do what, and how much of it. */
export function openAdmission({ settings, access, monitor, log }: Service): Admission {
  const mayBeOpen = isLoopback(settings.host)
  const limiter = settings.rateLimit === 'off' ? undefined : limitRate(settings.rateLimit)
  const corsOrigins = new Set(settings.corsOrigins)
  const ownOrigins = new Set([...settings.corsOrigins, ...originOf(settings.baseUrl)])

  return { judge, turnAway }

  function judge(request: FastifyRequest, reply: FastifyReply, asked: Asked): Verdict | Promise<Verdict> {
    const away = turnAway(asked)
    if (away !== undefined) return away
    if (!mayBeOpen) return judgeClosed(request, reply, asked)
    // What is public tells nobody anything: it answers also while the store does not.
    const closed = access.hasAny(asked.needs !== 'public')
    if (closed === true) return judgeClosed(request, reply, asked)
    if (closed === false) return judgeOpen(request, reply, asked)
    return closed.then((any) => (any ? judgeClosed : judgeOpen)(request, reply, asked))
  }

  function turnAway({ always }: Asked): Verdict {
    if (always || !monitor.load.isOver()) return undefined
    monitor.refused.overload++
    return overloaded
  }

  /** Nobody is known yet: whoever reaches this machine's own address may do everything. */
  function judgeOpen(request: FastifyRequest, reply: FastifyReply, asked: Asked): Verdict {
    // A page whose name was bound to this machine's address comes with its own name as Host: no DNS rebinding.
    // Only HTTP/1.0 may leave it out, and no browser does.
    const { host } = request.headers
    if (host !== undefined && !isLoopbackHost(host)) return misdirected
    if (isFromElsewhere(request.method, request.headers, ownOrigins)) return crossSite
    request.admitted = true
    return limit(request, reply, asked, undefined)
  }

  function judgeClosed(request: FastifyRequest, reply: FastifyReply, asked: Asked): Verdict | Promise<Verdict> {
    const { authorization } = request.headers
    // A key is sent by whoever holds it; only what a browser adds by itself can be misused from elsewhere.
    if (!isBearer(authorization) && isFromElsewhere(request.method, request.headers, ownOrigins)) return crossSite
    if (isPreflight(request, corsOrigins)) return limit(request, reply, asked, undefined)
    if (asked.needs === 'public') return judgePublic(request, reply, asked)
    if (authorization === undefined) {
      return (
        limit(request, reply, asked, undefined) ??
        challenge(reply, 'This needs a user or an API key.', 'This page is for people who have an account.')
      )
    }
    const identified = access.identify(authorization, callerAddress(request.ip))
    if (!(identified instanceof Promise)) return judgeCaller(request, reply, asked, identified)
    return identified.then((known) => judgeCaller(request, reply, asked, known))
  }

  /** Open to everybody. A page still tells who is signed in; a credential that is not known is nobody's. */
  function judgePublic(request: FastifyRequest, reply: FastifyReply, asked: Asked): Verdict | Promise<Verdict> {
    const { authorization, accept = '' } = request.headers
    const nobody = () => limit(request, reply, asked, undefined)
    if (authorization === undefined || asked.always || !accept.includes('text/html')) return nobody()
    const identified = access.identify(authorization, callerAddress(request.ip))
    const recognize = (known: Identified): Verdict => {
      if ('caller' in known) return judgeCaller(request, reply, asked, known)
      logRefused(request, known.refused)
      return nobody()
    }
    // It answers also while the store does not.
    return identified instanceof Promise ? identified.then(recognize, nobody) : recognize(identified)
  }

  function judgeCaller(request: FastifyRequest, reply: FastifyReply, asked: Asked, identified: Identified): Verdict {
    if ('refused' in identified) {
      logRefused(request, identified.refused)
      if (identified.refused === 'throttled') return throttled(identified.retryAfter)
      if (identified.refused === 'busy') return busy(identified.retryAfter)
      return (
        limit(request, reply, asked, undefined) ??
        challenge(
          reply,
          'The credential is not known.',
          'The name or the password is not right.',
          isBearer(request.headers.authorization),
        )
      )
    }
    const { name, role } = identified.caller
    request.actor = name
    request.role = role
    request.admitted = true
    const limited = limit(request, reply, asked, name)
    if (limited !== undefined || asked.needs === 'public' || includesRole(role, asked.needs)) return limited
    return {
      code: 'forbidden',
      detail: `This needs the role ${asked.needs}; ${name} has ${role}.`,
      plainly: `You are signed in as ${name}, with the role ${role}. This needs the role ${asked.needs}.`,
    }
  }

  function logRefused({ id, ip }: FastifyRequest, reason: string): void {
    log.info({ reqId: id, address: ip, reason }, 'a credential was refused')
  }

  function limit(request: FastifyRequest, reply: FastifyReply, { always }: Asked, name: string | undefined): Verdict {
    if (limiter === undefined || always) return undefined
    // The colon keeps a user apart from whoever has the user's name for an address.
    const allowance = limiter.take(name === undefined ? callerAddress(request.ip) : `:${name}`, performance.now())
    reply.header('ratelimit-policy', limiter.policy).header('ratelimit', allowance.header)
    if (allowance.allowed) return undefined
    monitor.refused.rate++
    return tooMany(allowance.retryAfter)
  }
}

const originOf = (baseUrl: string): readonly string[] => (baseUrl === '' ? [] : [new URL(baseUrl).origin])

const isBearer = (authorization: string | undefined): boolean =>
  authorization !== undefined && authorization.slice(0, 7).toLowerCase() === 'bearer '

const isLoopbackHost = remembered((host) => isLoopback(host.replace(/:\d*$/, '')))

/**
 * RFC 9110 §11.6.1. Two fields, for browsers that read one challenge from each. RFC 6750 §3.1: a key that was sent and
 * is not known is told apart from none.
 */
function challenge(reply: FastifyReply, detail: string, plainly: string, wrongKey = false): Problem {
  const bearer = wrongKey ? 'Bearer realm="Dealdesk", error="invalid_token"' : 'Bearer realm="Dealdesk"'
  reply.header('www-authenticate', ['Basic realm="Dealdesk", charset="UTF-8"', bearer])
  return { code: 'unauthorized', detail, plainly }
}

const misdirected: Problem = {
  code: 'misdirected-request',
  detail: 'Without users this service answers only to 127.0.0.1, [::1] and localhost.',
}

const crossSite: Problem = {
  code: 'cross-site-request',
  detail: 'A page of another site may not change anything here.',
}

const overloaded: Problem = {
  code: 'unavailable',
  detail: 'There is more to do than can be done in good time.',
  headers: { 'retry-after': '1' },
}

const busy = (seconds: number): Problem => ({
  code: 'unavailable',
  detail: 'Too many passwords are being checked.',
  headers: { 'retry-after': String(seconds) },
})

const throttled = (seconds: number): Problem => ({
  code: 'too-many-requests',
  detail: `Too many credentials from this address were wrong; it may try again in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
})

const tooMany = (seconds: number): Problem => ({
  code: 'too-many-requests',
  detail: `The limit is reached; more is allowed in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
})
