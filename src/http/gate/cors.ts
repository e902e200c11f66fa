import type { OutgoingHttpHeaders, Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Headers } from '../contract/answer.ts'

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
 * Lets pages of the named origins read answers. There is no `Access-Control-Allow-Credentials`: such a page sends its
 * own key, never the credentials that a browser keeps. `more` are headers of doors.
 */
export function allowOrigins(server: Server, origins: readonly string[], more: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  const exposed = [...new Set([...ANSWER_HEADERS, ...more])].join(', ')
  server.prependListener('request', ({ headers: { origin } }, response) => {
    const ofOrigin =
      origin !== undefined && allowed.has(origin)
        ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
        : {}
    // Every answer comes through here; no hook is called for a streamed result or for requests that are not routed.
    const writeHead = response.writeHead.bind(response)
    response.writeHead = (status: number, headers?: unknown) => {
      const own = headers as OutgoingHttpHeaders | undefined
      const vary = own?.vary ?? response.getHeader('vary')
      return writeHead(status, { ...own, vary: vary === undefined ? 'Origin' : `${vary}, Origin`, ...ofOrigin })
    }
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
