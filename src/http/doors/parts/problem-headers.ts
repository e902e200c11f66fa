import type { Headers } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'

/** The headers of a problem, the same in every protocol; a false precondition is told with the current tag. */
export const problemHeaders = (
  { headers, current }: Problem,
  { service, schema }: Pick<Call, 'service' | 'schema'>,
): Headers => ({
  ...headers,
  ...(current && { etag: service.tags(schema).tag(current, { representation: 'json' }) }),
})
