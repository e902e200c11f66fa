import type { Headers } from '../../http/contract/answer.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'

/** The headers of a problem, the same in every protocol; a false precondition is told with the current tag. */
export const problemHeaders = (
  { headers, current }: Problem,
  { service, schema }: Pick<Call, 'service' | 'schema'>,
): Headers => ({
  ...headers,
  ...(current && { etag: service.tags(schema).tag(current, { representation: 'json' }) }),
})
