import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../../config.ts'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS'])

/**
 * Whether another site's page made the browser send a change. Browsers add Basic credentials automatically, and an open
 * service needs none, so such requests are refused. Programs send neither header and pass.
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

/** The origins whose pages may send changes: the service's own, and those of `CORS_ORIGINS`. */
export const ownOriginsOf = ({
  corsOrigins,
  baseUrl,
}: Pick<Settings, 'corsOrigins' | 'baseUrl'>): ReadonlySet<string> =>
  new Set([...corsOrigins, ...(baseUrl === '' ? [] : [new URL(baseUrl).origin])])
