import { SearchTooCostly, StoreBroken, StoreUnavailable } from '../../../store/port/store.ts'
import type { Log } from '../../endpoint.ts'
import { type Problem, unavailable } from './problem.ts'

/** The problem of what a store throws; undefined for anything else, which is a defect. */
export function storeProblem(error: unknown, id: string, log: Log): Problem | undefined {
  if (error instanceof StoreUnavailable) {
    if (!(error instanceof StoreBroken)) log.warn({ id, err: error }, 'the store is not available')
    return unavailable('store', error.message, error.retryAfter)
  }
  if (!(error instanceof SearchTooCostly)) return undefined
  return {
    code: 'query-too-costly',
    detail: 'The search was ended after 2 seconds of computing; narrow the filter, or repeat less in the pattern.',
  }
}
