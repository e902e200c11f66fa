import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { assertPeriods } from '../support/database/kept-periods.ts'
import { assertTotals } from '../support/database/kept-totals.ts'
import { assertLinked } from '../support/database/linked-events.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { checkHistories } from '../support/faults/check-histories.ts'
import { type Crashes, crash } from '../support/faults/crash.ts'
import { temporaryFolder } from '../support/service/service-process.ts'

// `npm run test:long -- crash` is this with hundreds of kills; CRASH_KILLS says how many.

const KILLS = Number(process.env.CRASH_KILLS ?? 2)
const folder = temporaryFolder('crash')
after(() => folder.remove())

test(`after ${KILLS} kills every acknowledged write is there, once`, async (t) => {
  const file = join(folder.path, 'crash.db')
  const started = performance.now()
  const crashes = await crash(file, KILLS)
  const { acknowledged, killsWhileStarting, unanswered } = crashes
  const seconds = Math.round((performance.now() - started) / 1000)
  t.diagnostic(
    `${KILLS} kills, ${killsWhileStarting} of them while starting; ${acknowledged.length} writes acknowledged, ` +
      `${unanswered} left unanswered by a crash; ${seconds} s`,
  )
  assert.ok(acknowledged.length > KILLS * 10, 'there was hardly any load')
  assert.ok(unanswered >= KILLS / 2, 'the kills hit no requests in flight')
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    checkWrites(db, crashes)
    checkHistories(db)
    checkSums(db)
    const rows = async (text: string) => db.prepare(text).all()
    await assertTotals({ url: file, rows })
    await assertPeriods({ rows })
    await assertSearchIndex({ url: file, rows })
    assertLinked({ url: file })
  } finally {
    db.close()
  }
})

/** Each acknowledged write has its command and exactly one event, which is the one that was answered. */
function checkWrites(db: DatabaseSync, { acknowledged }: Crashes): void {
  const events = db.prepare('SELECT subject, revision, action FROM events WHERE command_id = ?')
  const command = db.prepare('SELECT subject, revision, action, status FROM commands WHERE id = ?')
  for (const write of acknowledged) {
    const expected = { subject: write.deal, revision: write.revision, action: write.action }
    assert.deepEqual(
      events.all(write.command).map((row) => ({ ...row })),
      [expected],
      write.command,
    )
    assert.deepEqual({ ...command.get(write.command) }, { ...expected, status: 'applied' }, write.command)
  }
  const total = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
  assert.equal(total('events'), acknowledged.length, 'there is an event that nobody was told of')
  assert.equal(total('commands'), acknowledged.length)
}

/** Nothing counts twice. */
function checkSums(db: DatabaseSync): void {
  const events = Map.groupBy(
    db.prepare('SELECT subject, operation, body FROM told_events ORDER BY subject, revision').all(),
    ({ subject }) => subject,
  )
  for (const deal of db.prepare('SELECT id, paid_thousandths, held, hold_reason, doc FROM deals').all()) {
    const shown = JSON.parse(String(deal.doc))
    const params = (events.get(deal.id ?? null) ?? []).map(({ operation, body }) => ({
      operation,
      ...JSON.parse(`{${body}}`).params,
    }))
    const payments = params.filter(({ operation }) => operation === 'record-payment')
    assert.equal(deal.paid_thousandths, payments.length * 100)
    assert.equal(shown.paid, (payments.length * 10) / 100)
    const reason = params.findLast(({ operation }) => operation === 'hold')?.reason ?? null
    assert.equal(deal.hold_reason, reason)
    assert.equal(deal.held, reason === null ? 0 : 1)
    assert.equal(shown.holdReason, reason)
  }
}
