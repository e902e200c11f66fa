import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { TOLD_EVENTS } from '../../../src/store/rows/event.ts'
import { wholeState } from '../../../src/store/rows/whole-state.ts'

/** The file is sound, and each deal is what its history makes of it: no revision is missing or there twice. */
export function checkHistories(db: DatabaseSync): void {
  assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  assert.deepEqual(db.prepare('PRAGMA foreign_key_check').all(), [])
  const events = Map.groupBy(
    db.prepare(`SELECT subject, revision, doc FROM ${TOLD_EVENTS} ORDER BY subject, revision`).all(),
    ({ subject }) => String(subject),
  )
  const deals = db.prepare('SELECT id, revision, doc FROM deals').all()
  assert.ok(deals.length > 0)
  for (const deal of deals) {
    const history = events.get(String(deal.id)) ?? []
    assert.deepEqual(
      history.map(({ revision }) => revision),
      Array.from({ length: Number(deal.revision) }, (_, index) => index + 1),
    )
    const told = history.map(({ doc }) => wholeState(String(doc)))
    assert.equal(told.at(-1), deal.doc)
    assert.deepEqual(
      told.map((doc) => JSON.parse(doc).revision),
      history.map(({ revision }) => revision),
    )
  }
  const orphans = db
    .prepare(`SELECT count(*) AS n FROM events WHERE resource = 'deal' AND subject NOT IN (SELECT id FROM deals)`)
    .get()
  assert.equal(orphans?.n, 0)
}
