import { addressable, isVersion, versions } from '../../../values/address.ts'
import { near } from '../../../values/faults/fault.ts'
import { acceptedBy } from '../../connection/announced-body.ts'
import type { Addresses } from '../../contract/addresses.ts'
import type { Answer, Headers } from '../../contract/answer.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { everyMethod, type Route } from '../../contract/route.ts'
import { patternOf, routesAt, segmentsOf } from '../../gate/routes-at.ts'
import { suggestAddress } from './suggest-address.ts'

/** A request for which there is no endpoint. */
export interface LostRequest {
  readonly method: string
  readonly path: string
  /** With its `?`, or empty. */
  readonly search: string
  readonly prefersHtml: boolean
}

/**
 * No endpoint has this method and address: 405 if others exist there, otherwise 404, or an unknown version. A person
 * whose address lacks only its beginning, such as `/deals`, is redirected.
 */
export function notFoundAnswer(
  { method, path, search, prefersHtml }: LostRequest,
  routes: readonly Route[],
  { base }: Pick<Addresses, 'base'>,
): Answer {
  const there = routesAt(path, routes)
  const allow = path === '*' ? everyMethod : allowedMethods(there)
  if (allow.length === 0) {
    const meant = meantBy(path, routes)
    const isShort = meant?.endsWith(path) === true && routesAt(meant, routes).some((each) => each.method === 'GET')
    if (prefersHtml && isShort && (method === 'GET' || method === 'HEAD'))
      return { status: 303, headers: { location: base + addressable(meant) + addressable(search), vary: 'Accept' } }
    return { problem: unknownAddress(path, meant, base) }
  }
  const headers = { allow: allow.join(', ') }
  if (method === 'OPTIONS') return { status: 204, headers: { ...headers, ...acceptedBodies(there) } }
  return {
    problem: {
      code: 'method-not-allowed',
      detail: {
        text: 'This address does not support {method}, only {allow}.',
        with: { method, allow: headers.allow },
      },
      headers,
    },
  }
}

/** RFC 5789 §3.1, RFC 10008 §3, and the Linked Data Platform's §7.1 for POST. */
function acceptedBodies(there: readonly Route[]): Headers {
  const headers: Record<string, string> = {}
  for (const { method, reads = [] } of there) {
    const own = acceptedBy[method]
    if (reads.length > 0 && own !== undefined) headers[own] = reads.join(', ')
  }
  return headers
}

function allowedMethods(there: readonly Route[]): readonly string[] {
  const methods = new Set(there.map(({ method }) => method))
  if (methods.size === 0) return []
  return [
    ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
    ...[...methods].filter((method) => method !== 'GET'),
    'OPTIONS',
  ]
}

const shown = (path: string): string => (path.length > 300 ? `${path.slice(0, 300)}…` : path)

/** The existing address that is nearest to an unknown one. */
const meantBy = (path: string, routes: readonly Route[]): string | undefined =>
  suggestAddress(
    segmentsOf(path),
    // The pattern alone is not specific enough.
    routes
      .filter(({ path, where, forPeople }) => !path.endsWith('*') && where === undefined && !forPeople)
      .map(patternOf),
  )

function unknownAddress(path: string, meant: string | undefined, base: string): Problem {
  const [rest, version] = segmentsOf(path)
  // A pattern with an open parameter cannot be followed.
  const link = meant === undefined || meant.includes('{') ? undefined : `<${base}${addressable(meant)}>; rel="related"`
  const headers = link === undefined ? {} : { headers: { link } }
  if (rest === 'rest' && version !== undefined && version !== 'commands' && !isVersion(version)) {
    const facts = { version: JSON.stringify(shown(version)), versions, ...near(meant) }
    const text =
      meant === undefined
        ? 'There is no version {version}; the versions are {versions}.'
        : 'There is no version {version}; the versions are {versions}; did you mean {near}?'
    return { code: 'unknown-version', detail: { text, with: facts }, extra: { versions: [...versions] }, ...headers }
  }
  const text =
    meant === undefined ? 'There is nothing at {address}.' : 'There is nothing at {address}; did you mean {near}?'
  return { code: 'not-found', detail: { text, with: { address: shown(path), ...near(meant) } }, ...headers }
}
