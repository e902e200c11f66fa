import type { Headers } from '../../http/contract/answer.ts'
import type { Problem, RefusedCall } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { detailOf, problemMembers } from '../../http/contract/problems/told-problem.ts'
import { storeProblem } from '../../http/respond/problems/store-problem.ts'
import type { Json } from '../../values/json/json.ts'
import type { DoorCall, Knocking } from '../door.ts'

/** A problem before a protocol formats it: the members are those of every problem, with the request. */
export interface ToldProblem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly members: { readonly [name: string]: Json }
}

export const told = (problem: Problem, { service, instance }: Pick<Knocking, 'service' | 'instance'>): ToldProblem => ({
  ...problemType(problem.code),
  detail: detailOf(problem),
  members: { ...problemMembers(problem, service.addresses), instance },
})

/** The headers of a problem, the same in every protocol; for a false precondition with the current tag. */
export const problemHeaders = (
  { headers, current }: Problem,
  { service, schema }: Pick<Knocking, 'service' | 'schema'>,
): Headers => ({
  ...headers,
  ...(current && { etag: service.tags(schema).tag(current, { representation: 'json' }) }),
})

/** A search that costs too much, or an unavailable store, is a refusal like others; a defect is rethrown. */
export async function orProblem<T>(
  action: () => Promise<T>,
  { instance, service }: Pick<DoorCall, 'instance' | 'service'>,
): Promise<T | RefusedCall> {
  try {
    return await action()
  } catch (cause) {
    const problem = storeProblem(cause, instance, service.log)
    if (problem === undefined) throw cause
    return { problem }
  }
}
