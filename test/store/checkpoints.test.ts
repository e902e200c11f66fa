import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { waitByAsking } from '../../src/store/sqlite/connect/transaction.ts'
import { takeOverCheckpoints } from '../../src/store/sqlite/write/checkpoints.ts'
import { ownSqlite } from '../support/database/own-database.ts'

/** Two connections of a thread, of which one always reads. */
const READERS = `
  const { parentPort, workerData: { url, isOver } } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  let [one, other] = [new DatabaseSync(url), new DatabaseSync(url)]
  const read = (db) => { db.exec('BEGIN'); db.prepare('SELECT count(*) FROM pages').get() }
  read(one)
  parentPort.postMessage('reading')
  while (Atomics.load(isOver, 0) === 0) {
    read(other)
    Atomics.wait(isOver, 0, 0, 2)
    one.exec('COMMIT')
    ;[one, other] = [other, one]
  }
  one.close()
  other.close()`

test('the log of SQLite begins anew beside readers who leave no pause', async (t) => {
  const { url, remove } = ownSqlite()
  t.after(remove)
  const db = connect(url)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE pages (content TEXT)')
  waitByAsking(db)
  const checkpoints = takeOverCheckpoints(db, 200)
  const isOver = new Int32Array(new SharedArrayBuffer(4))
  const readers = new Worker(READERS, { eval: true, workerData: { url, isOver } })
  await once(readers, 'message')
  const add = db.prepare(`INSERT INTO pages VALUES ('${'x'.repeat(40_000)}')`)
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  let longest = 0
  for (let n = 0; n < 400; n++) {
    add.run()
    longest = Math.max(longest, Number(look.get()?.log))
    checkpoints.now()
  }
  Atomics.store(isOver, 0, 1)
  await once(readers, 'exit')
  db.close()
  // Of some 5,000 pages that were written.
  assert.ok(longest < 2500, `the log had ${longest} pages`)
})
