import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pause } from '../schema/transaction.ts'

/**
 * Pages of the log that are not yet written back, from which a checkpoint is due. Each page is written back once,
 * however often the log has it, so a long log saves writes; SQLite's own default is 1000. At the next start after a kill
 * the whole log is read, which takes a tenth of a second.
 */
const DUE = 14_000
/** The most pages that may be left when the log restarts. */
const FEW = 1000
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
export function takeOverCheckpoints(db: DatabaseSync, { due = DUE, longest = TOO_LONG } = {}) {
  db.exec('PRAGMA wal_autocheckpoint = 0')
  const write = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const restart = db.prepare('PRAGMA wal_checkpoint(RESTART)')
  const empty = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  const look = logState(db, due)
  const now = (): Checkpoint => {
    const { log, checkpointed } = write.get() as unknown as LogState
    if (log <= longest || (log - checkpointed <= FEW && beginAnew())) return 'fine'
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
  const isDue = ({ log, checkpointed }: LogState): boolean => log - checkpointed >= due || log > longest
  return { now, whenDue: (): Checkpoint => (isDue(look()) ? now() : 'fine'), last: () => void empty.get() }
}

/**
 * Writes back the content of a removed log, while readers come and go. A replaced log belongs to another process, which
 * reads the database without ours.
 */
export function saveRemovedLog(db: DatabaseSync, gone: string): void {
  if (!gone.endsWith('-wal') || existsSync(gone)) return
  const write = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { log, checkpointed } = write.get() as unknown as LogState
    if (log === checkpointed) return
    pause(5)
  }
}

const MOST_TRIES = 20

/** Pages in the log, and those of them that are written back. */
interface LogState {
  readonly log: number
  readonly checkpointed: number
}

/** SQLite reports the state of the log without a checkpoint from 3.51 on. */
function logState(db: DatabaseSync, due: number): () => LogState {
  const [major = 0, minor = 0] = String(db.prepare('SELECT sqlite_version() AS v').get()?.v).split('.').map(Number)
  if (major > 3 || minor >= 51) {
    const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
    return () => look.get() as unknown as LogState
  }
  let pages = 0
  return () => {
    pages = pages >= due ? USUAL : pages + USUAL
    return { log: pages, checkpointed: 0 }
  }
}
