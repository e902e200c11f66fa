import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pause } from '../schema/transaction.ts'

/** Pages in the log from which a checkpoint is due: SQLite's own default. */
const DUE = 1000
/** Pages in a log that is written back, but keeps growing because of constant readers: 64 MiB. */
const TOO_LONG = 16_384
/** Milliseconds for which a restart of the log waits for readers; new ones do not join it. */
const LONGEST_WAIT = 100
/** Milliseconds between two failed attempts. */
const PAUSE = 1000
/** Pages in the log from which the operator is warned: 256 MiB. */
const LARGE = 65_536
/** Assumed pages per commit, if SQLite cannot report the size of the log. */
const USUAL = 20

/** The result of a checkpoint: fine, or the number of pages that the log has because of a long read. */
export type Checkpoint = 'fine' | { readonly waiting: number }

/**
 * Runs the checkpoints instead of SQLite, whose automatic ones ignore every error: the log would grow unnoticed,
 * and a sync that failed once might be taken for done the next time.
 * `whenDue` must be called after each commit; it throws what SQLite throws. `last` empties the log too.
 */
export function takeOverCheckpoints(db: DatabaseSync, longest = TOO_LONG) {
  db.exec('PRAGMA wal_autocheckpoint = 0')
  const write = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const restart = db.prepare('PRAGMA wal_checkpoint(RESTART)')
  const empty = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  const logSize = sizer(db)
  const now = (): Checkpoint => {
    const { log, checkpointed } = write.get() as { readonly log: number; readonly checkpointed: number }
    if (log <= longest || (log - checkpointed <= DUE && beginAnew())) return 'fine'
    return log > LARGE ? { waiting: log } : 'fine'
  }
  let notBefore = 0
  /** Whether the next write restarts the log; not tried again for a while if a reader stays. */
  const beginAnew = (): boolean => {
    if (performance.now() < notBefore) return false
    db.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT}`)
    try {
      const isBegun = Number(restart.get()?.busy) === 0
      if (!isBegun) notBefore = performance.now() + PAUSE
      return isBegun
    } finally {
      db.exec('PRAGMA busy_timeout = 0')
    }
  }
  return { now, whenDue: (): Checkpoint => (logSize() < DUE ? 'fine' : now()), last: () => void empty.get() }
}

/**
 * Writes back the content of a removed log, while readers come and go. A replaced log belongs to another process, which
 * reads the database without ours.
 */
export function saveRemovedLog(db: DatabaseSync, gone: string): void {
  if (!gone.endsWith('-wal') || existsSync(gone)) return
  const write = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { log, checkpointed } = write.get() as { readonly log: number; readonly checkpointed: number }
    if (log === checkpointed) return
    pause(5)
  }
}

const MOST_TRIES = 20

/** The number of pages in the log, which SQLite reports without a checkpoint from 3.51 on. */
function sizer(db: DatabaseSync): () => number {
  const [major = 0, minor = 0] = String(db.prepare('SELECT sqlite_version() AS v').get()?.v).split('.').map(Number)
  if (major > 3 || minor >= 51) {
    const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
    return () => Number(look.get()?.log)
  }
  let pages = 0
  return () => {
    pages = pages >= DUE ? USUAL : pages + USUAL
    return pages
  }
}
