import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workRunner } from '../../src/store/sqlite/connect/statements.ts'
import { writeRows } from '../../src/store/sqlite/write/decided-rows.ts'
import { thingReader } from '../../src/store/sqlite/write/thing-reader.ts'
import { readWhenAsked } from '../../src/store/transactions/facts/known-facts.ts'
import { decideBatch } from '../../src/store/transactions/write/decide-batch.ts'
import { openSampleTables } from '../support/database/sample-tables.ts'
import { newId } from '../support/deals/deciding.ts'
import { intentTo } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

/** How SQLite numbers what a statement does that fails: it is undone by itself. */
const ABORT = 2

test('a creation, a hold and their events cannot fail halfway: SQLite copies no page to undo them', () => {
  using db = openSampleTables()
  db.exec('PRAGMA foreign_keys = ON')
  const texts = new Set<string>()
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    texts.add(sql)
    return prepare(sql)
  }
  const run = workRunner(db)
  const intents = [
    intentTo('create', undefined, { name: 'Roof', price: 1 }),
    intentTo('hold', newId, { reason: 'audit' }),
  ]
  const decision = run(
    decideBatch(
      { intents, atomic: false, dryRun: false, linked: false },
      {
        engine: { things: thingReader, facts: readWhenAsked(thingReader, run), write: writeRows },
        settings: { schema, defaults: { currency: 'EUR' }, opened: '' },
        subjects: { newId: () => newId },
        parts: intents.map((_intent, at) => ({ from: at, to: at + 1, asked: [] })),
      },
    ),
  )
  assert.equal(decision.events.length, 2)
  // Periods are rows of one table without triggers: they are written by statements that change one row each.
  const writes = [...texts].filter((sql) => /^(INSERT|UPDATE) OR FAIL/.test(sql))
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
