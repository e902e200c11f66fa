import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { performAlone, type Store } from '../../../../src/store/port/store.ts'
import type { DeliveryResult } from '../../../../src/store/port/webhook-store.ts'
import { endedOwners } from '../../../../src/store/postgres/connect/owners.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { postgres } from '../../../../src/store/postgres/sql/dialect.ts'
import { webhookWorks } from '../../../../src/store/transactions/webhooks/webhook-store.ts'
import type { Work } from '../../../../src/store/transactions/work.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { intentTo } from '../../../support/deals/intents.ts'
import { schema } from '../../../support/schema.ts'
import { addWebhook } from '../../../support/things/audited.ts'

let database: OwnDatabase
let store: Store
let client: pg.Client
before(async () => {
  database = await ownPostgres('ready')
  store = await openPostgres({ url: database.url, currency: 'EUR' })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(async () => {
  await client.end()
  await store.close()
})

/** The plan of the first statement of a piece of work, and what it did. */
async function planOf(work: Work<unknown>): Promise<string> {
  const { value, done } = work.next()
  assert.ok(!done)
  const [{ statement, values } = assert.fail()] = value
  const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF) ${statement.text}`, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('what is due is found by its index, while a deal has thousands waiting in a table without statistics', async () => {
  const webhook = `('hook', 'https://example.com/', 'active', '', '9', '', '', 1, '{}')`
  await client.query(
    `INSERT INTO webhooks (id, url, status, secret, cursor, created_at, updated_at, revision, doc) VALUES ${webhook}`,
  )
  const works = webhookWorks(postgres, endedOwners, schema)
  const request = { most: 10, ofEach: 10, of: {}, lease: 1000, behind: '' }
  // Which index looks cheapest changes as they grow.
  for (let waiting = 0; waiting < 10_000; waiting += 1000) {
    for (let made = waiting; made < waiting + 1000; made += 100) await addWaiting(made + 1, made + 100)
    for (const plan of [await planOf(works.hasWork()), await planOf(works.claim(request, [], 'owner'))]) {
      assert.match(plan, /Index (Only )?Scan using deliveries_due on deliveries/, `${waiting} ${plan}`)
      assert.doesNotMatch(plan, /Rows Removed by Filter: \d\d/, `${waiting} ${plan}`)
    }
  }
})

test('claiming and settling look up rows by their keys, also as planned while the tables were young', async () => {
  const own = await ownPostgres('ready')
  const young = await openPostgres({ url: own.url, currency: 'EUR' })
  const now = new Date().toISOString()
  await addWebhook(young, 'hook')
  const order = { lease: 1000, most: 10, ofEach: 10, of: {}, behind: '' }
  const answered = { at: now, status: 'delivered', nextTryIn: null, responseStatus: 200, duration: 1 } as const
  const rest = { answer: null, error: null }
  let settling: DeliveryResult[] = []
  // A connection plans a statement anew five times, and keeps a plan from then on.
  for (let round = 0; round < 30; round++) {
    assert.equal(
      (await performAlone(young, intentTo('create', undefined, { name: 'Young', price: 1 }))).kind,
      'applied',
    )
    await own.settled()
    const { deliveries } = await young.webhooks.claim(order, settling)
    settling = deliveries.map(({ webhook, number }) => ({ webhook, number, ...answered, ...rest }))
    assert.equal(settling.length, 1)
  }
  // Connections tell what they did when they end.
  await young.close()
  const scans = `SELECT seq_scan AS whole, idx_scan AS by_key FROM pg_stat_user_tables WHERE relname = 'deliveries'`
  let [told] = await own.rows(scans)
  while (Number(told?.by_key) < 60) [told] = await own.rows(scans)
  assert.equal(told?.whole, 0)
})

/** Deliveries as they are made while a receiver is away: the first is tried again later, the others wait for it. */
const addWaiting = (from: number, to: number) =>
  client.query(
    `INSERT INTO deliveries (webhook_id, number, sequence, subject, type, status, attempts, failures, next_try_at, created_at)
     SELECT 'hook', n, n::text, 'deal', 'deal.note-added', 'pending', 0, 0,
       CASE WHEN n = 1 THEN '9999-01-01T00:00:00.000Z' END, ''
     FROM generate_series($1::int, $2::int) AS n`,
    [from, to],
  )
