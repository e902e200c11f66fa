import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventRows } from '../../src/store/sqlite/write/event-rows.ts'
import { thingRows } from '../../src/store/sqlite/write/thing-rows.ts'
import { openSampleTables } from '../support/database/sample-tables.ts'
import { given } from '../support/deals/deciding.ts'
import { deal } from '../support/schema.ts'

/** How SQLite numbers what a statement does that fails: it is undone by itself. */
const ABORT = 2

test('a creation, a hold and their events cannot fail halfway: SQLite copies no page to undo them', () => {
  using db = openSampleTables()
  db.exec('PRAGMA foreign_keys = ON')
  const texts: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    texts.push(sql)
    return prepare(sql)
  }
  const rows = thingRows(db, deal)
  rows.insert(given(), '{}', 1)
  rows.update(given(), given({ held: true, holdReason: 'audit', revision: 4 }), '{}', 2)
  eventRows(db)
  const writes = texts.filter((sql) => /^(INSERT|UPDATE)/.test(sql))
  assert.equal(writes.length, 3)
  for (const sql of writes) {
    const steps = prepare(`EXPLAIN ${sql}`).all()
    const failing = steps.filter(
      ({ opcode, p1, p2 }) =>
        /^(Pure)?Func/.test(String(opcode)) ||
        (/^Halt/.test(String(opcode)) && p2 === ABORT) ||
        // References that are checked by the statement, not by the commit.
        (opcode === 'FkCounter' && p1 === 0),
    )
    assert.deepEqual(failing, [], sql)
  }
})
