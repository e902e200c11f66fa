import { setTimeout as pause } from 'node:timers/promises'
import type { SearchOptions } from '../../port/desk.ts'
import { SearchTooCostly } from '../../port/store.ts'
import type { Connection, Row, Statement, Values } from './connection.ts'
import { isCanceled } from './faults.ts'
import type { Pool } from './pool.ts'

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

/** Ends the statement that a process of the server runs. */
export type CancelStatement = (processId: number) => Promise<unknown>

/**
 * Runs statements that look at text or make groups; throws `SearchTooCostly` where one takes longer than it may. The
 * statement of a client that leaves is ended.
 */
export function searcher({ short, long, unbounded: without }: SearchPools, cancel: CancelStatement): Search {
  return async (statement, values, { signal, unbounded = false } = {}) => {
    const runOn = (pool: Pool) =>
      pool.use((connection) => unlessAborted(connection, statement, values, signal, cancel), signal)
    if (unbounded) return runOn(without)
    return unlessCanceled(runOn(short), () =>
      unlessCanceled(runOn(long), () => {
        throw new SearchTooCostly()
      }),
    )
  }
}

/** Milliseconds after which a statement that was not yet there to be ended is ended again. */
const AGAIN = 20

/**
 * Runs a statement and ends it if the client leaves. It holds its connection until nothing more is ended there: the next
 * statement on it is another client's.
 */
export async function unlessAborted(
  connection: Connection,
  statement: Statement,
  values: Values,
  signal: AbortSignal | undefined,
  cancel: CancelStatement,
): Promise<readonly Row[]> {
  const { processId } = connection
  const run = connection.query(statement, values)
  if (processId === undefined || signal === undefined) return run
  let isRunning = true
  let canceling: Promise<void> | undefined
  const leave = (): void => {
    canceling = cancelUntilOver()
  }
  async function cancelUntilOver(): Promise<void> {
    for (; isRunning; await pause(AGAIN)) await cancel(processId as number).catch(() => {})
  }
  signal.addEventListener('abort', leave)
  try {
    return await run
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  } finally {
    isRunning = false
    signal.removeEventListener('abort', leave)
    await canceling
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
