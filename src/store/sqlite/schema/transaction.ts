import type { DatabaseSync } from 'node:sqlite'
import { MOVED_ON } from '../../port/opening.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { migrations } from './migrations.ts'

const LONGEST_WAIT = 5000
/**
 * Milliseconds, long enough for another process, which polls every `POLL`, to begin its transaction, also on a busy
 * machine: there a thread wakes up late, and would miss short gaps.
 */
export const TURN = 12
const POLL = 1
/** Milliseconds: a process that was away for longer stood still, and that was no waiting. */
const LONGEST_POLL = 50

/** Disables SQLite's busy handler, so that only `beginWriting` waits. */
export const waitByAsking = (db: DatabaseSync): void => db.exec('PRAGMA busy_timeout = 0')

/**
 * Begins a writing transaction; waits for other processes. SQLite's busy handler polls less and less often and starves
 * next to a process that writes without pause. This polls steadily, so a gap of `TURN` is enough.
 */
export function beginWriting(db: DatabaseSync): void {
  let waited = 0
  for (let now = performance.now(); ; ) {
    try {
      db.exec('BEGIN IMMEDIATE')
      return refuseOtherSchema(db)
    } catch (cause) {
      if (!isBusy(cause) || waited > LONGEST_WAIT) throw cause
      pause(POLL)
      const before = now
      now = performance.now()
      waited += Math.min(now - before, LONGEST_POLL)
    }
  }
}

/** Nothing is written into the schema of another release, which may have migrated the database meanwhile. */
function refuseOtherSchema(db: DatabaseSync): void {
  if (db.prepare('PRAGMA user_version').get()?.user_version === migrations.length) return
  db.exec('ROLLBACK')
  throw new StoreUnavailable(MOVED_ON, 5)
}

/** Runs `work` in its own transaction, which is rolled back if it throws. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  beginWriting(db)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

/** Blocks this thread, so that other processes can write. */
export function pause(milliseconds: number): void {
  Atomics.wait(clock, 0, 0, milliseconds)
}
const clock = new Int32Array(new SharedArrayBuffer(4))

// https://sqlite.org/rescode.html#busy
export const isBusy = (cause: unknown): boolean => ((cause as { errcode?: number } | null)?.errcode ?? 0) % 256 === 5
