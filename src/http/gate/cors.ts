import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Headers } from '../answer.ts'

const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'Prefer',
]

const ANSWER_HEADERS = [
  'Accept-Query',
  'After',
  'Allow',
  'Before',
  'Content-Location',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Dry-Run',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Request-Id',
  'Retry-After',
  'Sunset',
]

/**
 * Lets pages of the named origins read answers. There is no `Access-Control-Allow-Credentials`: such a page sends a
 * key of its own, never the credentials that a browser keeps. `more` are headers of doors.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[], more: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  const exposed = [...new Set([...ANSWER_HEADERS, ...more])].join(', ')
  app.addHook('onSend', (request, reply, payload, done) => {
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`)
    const { origin } = request.headers
    if (origin !== undefined && allowed.has(origin)) {
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    }
    done(null, payload)
  })
}

/** A CORS preflight, which browsers send without credentials. */
export function isPreflight({ method, headers }: FastifyRequest, origins: ReadonlySet<string>): boolean {
  const { origin } = headers
  if (method !== 'OPTIONS' || origin === undefined || !origins.has(origin)) return false
  return headers['access-control-request-method'] !== undefined
}

export const preflightHeaders = (allow: string, more: readonly string[]): Headers => ({
  'access-control-allow-methods': allow,
  'access-control-allow-headers': [...new Set([...REQUEST_HEADERS, ...more])].join(', '),
  'access-control-max-age': '600',
})
