import type { IncomingHttpHeaders } from 'node:http'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a page of another site made the browser send a change. A browser adds Basic credentials by itself, and on
 * loopback being near is enough, so such a request must not count. Programs send neither header and are not concerned.
 */
export function isFromElsewhere(
  method: string,
  headers: IncomingHttpHeaders,
  ownOrigins: ReadonlySet<string>,
): boolean {
  if (readingMethods.has(method)) return false
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined && ownOrigins.has(origin)) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return origin !== `http://${host}` && origin !== `https://${host}`
}
