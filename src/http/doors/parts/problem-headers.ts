import type { Headers } from '../../contract/answer.ts'
import type { Service } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'

/** The headers of a problem, the same in every protocol; a false precondition is told with the current tag. */
export const problemHeaders = ({ headers, current }: Problem, { tags }: Service): Headers => ({
  ...headers,
  ...(current && { etag: tags.tag(current, { representation: 'json' }) }),
})
