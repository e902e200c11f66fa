import { type SearchOptions, SearchTooCostly } from '../../port/store.ts'
import type { Row, Statement, Values } from '../connect/connection.ts'
import { isCanceled } from '../connect/faults.ts'
import type { Pool } from '../connect/pool.ts'

/** Milliseconds that a search is first tried for, so that one which is soon done waits for none that is not. */
export const SHORT_TRY = 100
/** Milliseconds that the statement of a search may take. */
export const BUDGET = 2000

export interface SearchPools {
  /** Their statements end after a short try. */
  readonly short: Pool
  /** Their statements end when the budget is used up. */
  readonly long: Pool
  /** For searches without a budget. */
  readonly unbounded: Pool
}

export type Search = (statement: Statement, values: Values, options?: SearchOptions) => Promise<readonly Row[]>

/** Runs statements that look at text; throws `SearchTooCostly` where one takes longer than it may. */
export function searcher({ short, long, unbounded: without }: SearchPools): Search {
  return async (statement, values, { signal, unbounded = false } = {}) => {
    const runOn = (pool: Pool) => pool.use((connection) => connection.query(statement, values), signal)
    if (unbounded) return runOn(without)
    return unlessCanceled(runOn(short), () =>
      unlessCanceled(runOn(long), () => {
        throw new SearchTooCostly()
      }),
    )
  }
}

async function unlessCanceled<T>(run: Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await run
  } catch (cause) {
    if (isCanceled(cause)) return otherwise()
    throw cause
  }
}
