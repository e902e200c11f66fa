import { type Endpoint, JSON_OR_FORM } from '../../contract/endpoint.ts'

/** RFC 10008: what GET reads by the query of its address, QUERY reads by its content too. */
export function withQueryMethod(endpoint: Endpoint): readonly Endpoint[] {
  if (endpoint.parameters !== 'collection') return [endpoint]
  const { live: _live, ...read } = endpoint
  return [endpoint, { ...read, method: 'QUERY', reads: JSON_OR_FORM }]
}
