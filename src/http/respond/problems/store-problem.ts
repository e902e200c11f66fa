import { SearchTooCostly, StoreUnavailable } from '../../../store/port/store.ts'
import type { Log } from '../../contract/endpoint.ts'
import { BeyondBudget, type Problem, unavailable } from '../../contract/problems/problem.ts'

/** The problem of an error during reads or writes; undefined for anything else, which is a defect. */
export function storeProblem(error: unknown, id: string, log: Log): Problem | undefined {
  if (error instanceof BeyondBudget) return error.problem
  if (error instanceof StoreUnavailable) {
    if (!error.isTold) log.warn({ id, reason: reasonOf(error) }, 'the store is not available')
    return unavailable('store', error.message, error.retryAfter)
  }
  if (!(error instanceof SearchTooCostly)) return undefined
  return {
    code: 'query-too-costly',
    detail:
      'The search was ended: it takes more than 2 seconds of computing, or its turns come too seldom now. Narrow the filter, repeat less in the pattern, or make fewer groups.',
  }
}

/** The problem of one part of several; the other parts are answered nevertheless. */
export function partProblem(error: unknown, id: string, log: Log): Problem {
  const known = storeProblem(error, id, log)
  if (known !== undefined) return known
  log.error({ id, err: error }, 'a defect')
  return { code: 'internal-error', detail: 'An unexpected error occurred; it was logged.' }
}

/** In one line: a stack would only show where it was noticed. */
const reasonOf = ({ message, cause }: StoreUnavailable): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message
