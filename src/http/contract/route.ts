import { type Role, roles } from '../../values/role.ts'

/** The least role that may call, or everybody. */
export const needs = ['public', ...roles] as const
export type Need = (typeof needs)[number]

export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** RFC 9110 §9.3.7: `OPTIONS *` asks about the server as a whole. */
export const everyMethod = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Whether a method changes nothing. */
export const isReading = (method: Method): boolean => method === 'GET' || method === 'QUERY'

/** A method, an address, and what the gate demands of its callers. */
export interface Route {
  readonly method: Method
  /** Segments with a leading colon are parameters; a last segment `*` is everything below. */
  readonly path: string
  /** Whether it answers at an address that its path matches, where the path says too little. */
  readonly where?: (path: string) => boolean
  readonly role: Need
  /** The role that an address needs, where it names an operation that its path does not. */
  readonly roleAt?: (path: string) => Role
  /** Whether it answers under overload and beyond the rate limit too, and while the store is away to whom it knew last. */
  readonly always?: true
  /** Whether it answers before there is a user, where SET_UP asks for the first one. */
  readonly inSetUp?: true
  /** The media types of the body; absent if it reads none. */
  readonly reads?: readonly string[]
  /** Only pages use it: OpenAPI, the reference and suggestions leave it out. */
  readonly pagesOnly?: true
}
