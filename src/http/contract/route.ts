import { type Role, roles } from '../../values/role.ts'

/** The least role that may call, or everybody. */
export const needs = ['public', ...roles] as const
export type Need = (typeof needs)[number]

export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** RFC 9110 §9.3.7: `OPTIONS *` asks about the server as a whole. */
export const everyMethod = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The end of an address by a unique value, which may look like a name with a suffix. */
export const BY_VALUE = '/by/:field/:value'

/** Whether a method changes nothing. */
export const isReading = (method: Method): boolean => method === 'GET' || method === 'QUERY'

/** A method, an address, and the gate's demands on callers. */
export interface Route {
  readonly method: Method
  /** Segments with a leading colon are parameters; a last segment `*` is everything below. */
  readonly path: string
  /** Whether it answers at an address that its path matches, if the path is not specific enough. */
  readonly where?: (path: string) => boolean
  readonly role: Need
  /** The role that an address needs, if it names an operation that its path does not. */
  readonly roleAt?: (path: string) => Role
  /** Whether the grants of a caller's role may allow what the three roles do not. */
  readonly byGrants?: true
  /**
   * Whether it also answers under overload and beyond the rate limit, and to callers known from before while the store
   * is unavailable.
   */
  readonly always?: true
  /** Whether it answers before there is a user, if SET_UP asks for the first one. */
  readonly inSetUp?: true
  /** The media types of the body; absent if it reads none. */
  readonly reads?: readonly string[]
  /** Only pages use it: OpenAPI, the reference and suggestions leave it out. */
  readonly forPeople?: true
}
