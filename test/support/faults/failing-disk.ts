import { readFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CommitFault, DiskFaults } from './failing-disk-settings.ts'

// Loaded into the service before anything else, in each of its threads: a disk that fails when it is told to.
// FAULTS names a file with what to do, which is read again whenever something is written.

/** The largest that SQLite knows. */
const ALL_PAGES = 4_294_967_294

const exec = DatabaseSync.prototype.exec
let commits = 0
let told = ''

DatabaseSync.prototype.exec = function (sql: string): void {
  const faults = readFaults()
  if (faults.killBefore !== undefined && sql.includes(faults.killBefore)) die()
  if (sql.startsWith('BEGIN')) exec.call(this, `PRAGMA max_page_count = ${faults.pages ?? ALL_PAGES}`)
  if (sql === 'COMMIT') failCommit(faults.commits?.[commits++])
  exec.call(this, sql)
  if (faults.killAfter !== undefined && sql.includes(faults.killAfter)) die()
}

const prepare = DatabaseSync.prototype.prepare

DatabaseSync.prototype.prepare = function (sql: string): StatementSync {
  const statement = prepare.call(this, sql)
  if (!sql.startsWith('PRAGMA wal_checkpoint')) return statement
  const real = prepare.call(this, sql)
  statement.get = () => {
    const { checkpoints } = readFaults()
    if (checkpoints === undefined) return real.get()
    // However little there is in the log, it is time to write it back.
    if (sql.includes('NOOP')) return { log: 1_000_000, checkpointed: 0 }
    throw failures[checkpoints]()
  }
  return statement
}

function readFaults(): DiskFaults {
  const text = readFileSync(process.env.FAULTS ?? '', 'utf8')
  if (text !== told) commits = 0
  told = text
  return JSON.parse(text)
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
  // The signal may come a moment later, and nothing more is to happen.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000)
}

/** Before the real one: what is not committed is as lost as if the disk had failed under it. */
function failCommit(fault: CommitFault | undefined): void {
  if (fault === 'defect') throw new Error('a defect')
  if (fault === 'full' || fault === 'broken') throw failures[fault]()
}

const failures = {
  full: () => Object.assign(new Error('database or disk is full'), { errcode: 13 }),
  broken: () => Object.assign(new Error('disk I/O error'), { errcode: 10 }),
}
