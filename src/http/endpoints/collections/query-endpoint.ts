import { type Endpoint, JSON_OR_FORM } from '../../contract/endpoint.ts'

/** RFC 10008: QUERY reads from its content what GET reads from the query of its address. */
export function withQueryMethod(endpoint: Endpoint): readonly Endpoint[] {
  if (endpoint.parameters !== 'collection') return [endpoint]
  const { live: _live, ...read } = endpoint
  return [endpoint, { ...read, method: 'QUERY', reads: JSON_OR_FORM }]
}
