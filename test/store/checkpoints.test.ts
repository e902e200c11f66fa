import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { waitByAsking } from '../../src/store/sqlite/schema/transaction.ts'
import { takeOverCheckpoints } from '../../src/store/sqlite/write/checkpoints.ts'
import { ownSqlite } from '../support/database/own-database.ts'

/** Rows of 40 kB; there are several tries meanwhile. */
const MOST_ROWS = 5000

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
  const checkpoints = takeOverCheckpoints(db, { longest: 200 })
  const isOver = new Int32Array(new SharedArrayBuffer(4))
  const readers = new Worker(READERS, { eval: true, workerData: { url, isOver } })
  await once(readers, 'message')
  const add = db.prepare(`INSERT INTO pages VALUES ('${'x'.repeat(40_000)}')`)
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const lengths = [0]
  const isBegunAnew = (): boolean => Number(lengths.at(-1)) < Number(lengths.at(-2))
  // A try that readers hinder is repeated after a second, and each row is some ten pages.
  while (!isBegunAnew() && lengths.length < MOST_ROWS) {
    add.run()
    lengths.push(Number(look.get()?.log))
    checkpoints.now()
    // A quick machine has written all of them before the second is over.
    if (lengths.length > MOST_ROWS / 10) await pause(1)
  }
  Atomics.store(isOver, 0, 1)
  await once(readers, 'exit')
  db.close()
  assert.ok(isBegunAnew(), `the log had ${lengths.at(-1)} pages`)
})

test('a checkpoint is due by what is not written back, not by the length of the log', (t) => {
  const { url, remove } = ownSqlite()
  t.after(remove)
  const db = connect(url)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE pages (content TEXT)')
  const checkpoints = takeOverCheckpoints(db, { due: 40 })
  checkpoints.last()
  // A reader keeps the log from beginning anew, also when all of it is written back.
  const reader = connect(url, { readOnly: true })
  const read = () => reader.exec('BEGIN; SELECT count(*) FROM pages')
  read()
  const add = db.prepare(`INSERT INTO pages VALUES ('${'x'.repeat(40_000)}')`)
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const written: number[] = []
  for (let rows = 0; rows < 8; rows++) {
    add.run()
    reader.exec('COMMIT')
    read()
    assert.equal(checkpoints.whenDue(), 'fine')
    const { log, checkpointed } = look.get() as { log: number; checkpointed: number }
    assert.ok(log - checkpointed < 40, `${checkpointed} of ${log} pages are written back`)
    written.push(checkpointed)
  }
  reader.close()
  db.close()
  assert.equal(new Set(written).size, 3, `written back twice in eight rows: ${written}`)
})
