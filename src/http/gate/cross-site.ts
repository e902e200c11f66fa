import type { IncomingHttpHeaders } from 'node:http'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS'])

/**
 * Whether another site's page made the browser send a change. Browsers add Basic credentials by themselves, and an
 * open service needs none, so such requests are refused. Programs send neither header and pass.
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
