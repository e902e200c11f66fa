import { setTimeout as pause } from 'node:timers/promises'
import type { SearchOptions } from '../../port/desk.ts'
import { SearchTooCostly } from '../../port/store.ts'
import type { Connection, Row, Statement, Values } from './connection.ts'
import { isCanceled } from './faults.ts'
import type { Pool } from './pool.ts'

/** Milliseconds for the first attempt of a search, so that a quick one does not wait for a slow one. */
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

/** Ends the statement of a server process. */
export type CancelStatement = (processId: number) => Promise<unknown>

/**
 * Runs text searches and queries for groups; throws `SearchTooCostly` if one takes too long. The statement of a client
 * that leaves is cancelled.
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

/** Milliseconds after which the cancellation is repeated, if the statement had not yet begun. */
const AGAIN = 20

/**
 * Runs a statement and cancels it if the client leaves. It holds its connection until no cancellation is under way: the
 * next statement on it belongs to another client.
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
