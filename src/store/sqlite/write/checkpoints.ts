import type { DatabaseSync } from 'node:sqlite'

/** Pages in the log at which it is written back: SQLite's own measure. */
const DUE = 1000
/** Pages that wait to be written back, from which on an operator is warned: 256 MiB. */
const LARGE = 65_536
/** Pages of a commit, where SQLite cannot say how many there are in the log. */
const USUAL = 20

/** The result of a checkpoint: fine, or how many pages wait because of a long read. */
export type Checkpoint = 'fine' | { readonly waiting: number }

/**
 * Writes the write-ahead log back into the database in SQLite's stead, which passes over every error of it: the log would
 * grow without a word, and a sync that failed once might be believed the next time.
 */
export interface Checkpoints {
  /** To be called after each commit; throws what SQLite throws. */
  whenDue(): Checkpoint
  now(): Checkpoint
}

export function takeOverCheckpoints(db: DatabaseSync): Checkpoints {
  db.exec('PRAGMA wal_autocheckpoint = 0')
  const write = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const logSize = sizer(db)
  const now = (): Checkpoint => {
    const { log, checkpointed } = write.get() as { readonly log: number; readonly checkpointed: number }
    return log - checkpointed > LARGE ? { waiting: log - checkpointed } : 'fine'
  }
  return { now, whenDue: () => (logSize() < DUE ? 'fine' : now()) }
}

/** Asks for the pages in the log; SQLite can say so without doing anything from 3.51 on. */
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
