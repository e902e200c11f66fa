import { isVersion, versions } from '../values/version.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'

/** No endpoint has this method at this address: others may, or it may be of a version that is not served. */
export function notFoundAnswer(method: string, path: string, endpoints: readonly Endpoint[]): Answer {
  const allow = path === '*' ? everyMethod : allowedMethods(path, endpoints)
  if (allow.length === 0) return { problem: unknownAddress(path) }
  const headers = { allow: allow.join(', ') }
  if (method === 'OPTIONS') return { status: 204, headers }
  return {
    problem: {
      code: 'method-not-allowed',
      detail: `${method} is not for this address; ${headers.allow} are.`,
      headers,
    },
  }
}

/** Those that an address has, whatever the method. */
export function endpointsAt(path: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const segments = segmentsOf(path)
  return endpoints.filter((endpoint) => matches(segmentsOf(endpoint.path), segments))
}

function allowedMethods(path: string, endpoints: readonly Endpoint[]): readonly string[] {
  const methods = new Set(endpointsAt(path, endpoints).map(({ method }) => method))
  if (methods.size === 0) return []
  return [
    ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
    ...[...methods].filter((method) => method !== 'GET'),
    'OPTIONS',
  ]
}

/** RFC 9110 §9.3.7: `OPTIONS *` asks about the server as a whole. */
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** As the router sees it: a slash at the end does not count, an empty segment does. */
const segmentsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/').slice(1)

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, index) => segment.startsWith(':') || segment === path[index])

function unknownAddress(path: string) {
  const [rest, version] = segmentsOf(path)
  if (rest === 'rest' && version !== undefined && version !== 'commands' && !isVersion(version)) {
    const detail = `There is no version ${JSON.stringify(version)}; there is ${versions.join(', ')}.`
    return { code: 'unknown-version', detail, extra: { versions: [...versions] } } as const
  }
  return { code: 'not-found', detail: `There is nothing at ${path}.` } as const
}
