import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../../port/store.ts'
import { type BoundStatement, bind, type Work } from '../../transactions/work.ts'
import type { Row, Session } from '../connect/connection.ts'
import type { Connections } from '../connect/connections.ts'
import { isMissing, isRepeatable, movedOn } from '../connect/faults.ts'
import { migrations, WRITES } from './migrations.ts'

const MOST_REPEATS = 5

export type Transactions = Pick<Connections, 'transaction'>

/** The model by which a transaction writes. */
export interface ModelOfWrite {
  /** It fails if the stored one is newer; null if what is written follows from no model. */
  readonly version: number | null
  /** Whether the model itself is changed: nobody else writes meanwhile. */
  readonly isChanged?: boolean
}

/** For what follows from no model. */
export const ANY_MODEL: ModelOfWrite = { version: null }

/** Runs `work` in its own transaction, again after a conflict with another; rolls back if it throws. */
export async function inTransaction<T>(
  connections: Transactions,
  work: (session: Session) => Promise<T>,
  model: ModelOfWrite = ANY_MODEL,
): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await connections.transaction((session) => once(session, work, model))
    } catch (cause) {
      if (!isRepeatable(cause)) throw cause
      if (repeats === MOST_REPEATS) throw new StoreUnavailable('too many are changing this at once', 1, cause)
      await pause(10 + Math.random() * 190)
    }
  }
}

async function once<T>(session: Session, work: (session: Session) => Promise<T>, model: ModelOfWrite): Promise<T> {
  try {
    // Statements are pipelined on one connection: the first need not wait for the answer to this one.
    const result = await beginWriting(session, () => work(session), model)
    await session.query({ text: 'COMMIT' })
    return result
  } catch (cause) {
    await session.query({ text: 'ROLLBACK' }).catch(() => {})
    throw cause
  }
}

/**
 * Begins a writing transaction, and sends its first statements without waiting for the answer. It fails if the schema
 * is not this release's; the following statements would only report that an earlier one failed.
 */
export async function beginWriting<T>(
  { query }: Session,
  first: () => Promise<T>,
  model: ModelOfWrite = ANY_MODEL,
): Promise<T> {
  const begun = Promise.all([query({ text: 'BEGIN' }), query(MAY_WRITE, mayWrite(model))])
  begun.catch(() => {})
  try {
    return await first()
  } finally {
    await begun.catch((cause) => {
      // An earlier release has no `may_write`.
      throw isMissing(cause) ? movedOn(cause) : cause
    })
  }
}

const mayWrite = ({ version, isChanged = false }: ModelOfWrite) => [migrations.length, version, isChanged]

/** Fails if the model is another one by now. */
export const modelRequired = (model: ModelOfWrite): BoundStatement => bind(MAY_WRITE, ...mayWrite(model))

/** Runs work in a transaction that begins with its first statements; the caller, or the work itself, ends it. */
export async function runWriting<T>(session: Session, work: Work<T>, model: ModelOfWrite): Promise<T> {
  const { query } = session
  const first = work.next()
  const rows = await beginWriting(session, async () => (first.done ? [] : runAll(query, first.value)), model)
  return first.done ? first.value : continueWork(session, work, work.next(rows))
}

const MAY_WRITE = { name: 'may-write', text: 'SELECT may_write($1, $2, $3)' }

/** Resolves when the writing transactions that run now, on any instance, have ended. */
export async function writesEnded(query: Session['query']): Promise<void> {
  const until = performance.now() + LONGEST_WAIT
  const running = async () => new Set((await query(WRITING)).map(([transaction]) => transaction))
  const first = await running()
  for (let left = first; left.size > 0; left = first.intersection(await running())) {
    if (performance.now() > until) throw new StoreUnavailable('a write takes too long', 1)
    await pause(AGAIN)
  }
}

/** Milliseconds. */
const [LONGEST_WAIT, AGAIN] = [5000, 10]

/** Each has the shared lock of writes from before its decisions until after its commit. */
const WRITING = {
  name: 'writing',
  text: `SELECT virtualtransaction FROM pg_locks WHERE locktype = 'advisory' AND objid = ${WRITES} AND classid = 0
    AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
}

/** Runs work over a session; statements that are yielded together are sent without waiting in between. */
export const runWork = <T>(session: Session, work: Work<T>): Promise<T> => continueWork(session, work, work.next())

async function continueWork<T>({ query }: Session, work: Work<T>, step: ReturnType<Work<T>['next']>): Promise<T> {
  let next = step
  while (!next.done) {
    next = work.next(await runAll(query, next.value))
  }
  return next.value
}

export const runAll = (
  query: Session['query'],
  steps: readonly BoundStatement[],
): Promise<readonly (readonly Row[])[]> => Promise.all(steps.map(({ statement, values }) => query(statement, values)))
