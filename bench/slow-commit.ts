import { DatabaseSync } from 'node:sqlite'

// Loaded before a server's own code, in all its threads: every COMMIT takes longer, as on a slower disk.

const delay = Number(process.env.COMMIT_DELAY_MS)
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const exec = DatabaseSync.prototype.exec

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
  exec.call(this, sql)
  if (sql === 'COMMIT') Atomics.wait(sleeper, 0, 0, delay)
}
