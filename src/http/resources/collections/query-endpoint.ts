import type { Endpoint, MediaType } from '../../endpoint.ts'

/** The media types of a query's content, as `Accept-Query` lists them. */
export const queryTypes: readonly MediaType[] = ['application/json', 'application/x-www-form-urlencoded']

/** RFC 10008: what GET reads by the query of its address, QUERY reads by its content too. */
export function withQueryMethod(endpoint: Endpoint): readonly Endpoint[] {
  if (endpoint.parameters !== 'collection') return [endpoint]
  const { live: _live, ...read } = endpoint
  return [endpoint, { ...read, method: 'QUERY', reads: queryTypes }]
}
