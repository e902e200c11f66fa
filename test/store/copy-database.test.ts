import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { openMaintenance, openStore, openTransfer } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { transferTables } from '../../src/store/port/transfer.ts'
import { type CopyResult, copyDatabase } from '../../src/store/transactions/copy-database.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo, intentToUpdate, newCommandId } from '../support/deals/intents.ts'
import { collections, deal as dealResource, resources, schema } from '../support/schema.ts'
import { closedWithTest } from '../support/service/closed-with-test.ts'
import { addWebhook, putUser } from '../support/things/audited.ts'

const sqlite = ownSqlite()
const back = ownSqlite()
let postgres: OwnDatabase
let original: Store
let deal: string

const webhook = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
/** A service that died gives nothing back: what it took is free when its time is over. */
const LEASE = 500
const takingOrder = (most: number) => ({ lease: LEASE, most, ofEach: most, of: {}, behind: '' })

async function open({ url }: OwnDatabase): Promise<Store> {
  const store = await openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))
  return { ...store, close: closedWithTest(() => store.close()) }
}

before(async () => {
  postgres = await ownPostgres()
  original = await open(sqlite)
  for (const name of ['Ana', 'Bo', 'Cy']) {
    await performAlone(original, intentTo('create', undefined, { name, age: 41 }, { resource: 'customer' }))
  }
  await performAlone(original, intentTo('delete', undefined, {}, { resource: 'customer', target: 3 }))
  await putUser(original, { name: 'mila', role: 'admin', hash: 'h' })
  for (let n = 0; n < 30; n++) {
    // It hears of the last five deals, and has taken three of their deliveries.
    if (n === 25) await addWebhook(original, webhook)
    const params = { name: `Deal ${n} "ß😀\n`, price: n + 0.15, customerId: (n % 2) + 1 }
    const made = await performAlone(original, intentTo('create', undefined, params, { command: newCommandId() }))
    assert.ok(made.kind === 'applied')
    deal = String(made.thing.id)
    await performAlone(original, intentToUpdate(deal, { name: 'Tower', held: true, holdReason: 'parts' }))
    await performAlone(original, intentTo('complete', deal, {}, { command: newCommandId() }))
    if (n % 5 === 0) await performAlone(original, intentTo('delete', deal))
  }
  assert.equal((await original.webhooks.claim(takingOrder(3), [])).deliveries.length, 3)
  const taken = performance.now()
  while (performance.now() < taken + LEASE + 1) await pause(10)
})
after(async () => {
  await original.close()
  sqlite.remove()
  back.remove()
})

async function copy(from: OwnDatabase, to: OwnDatabase): Promise<CopyResult> {
  const [source, target] = [await openTransfer(from.url, 'out'), await openTransfer(to.url, 'in')]
  try {
    return await copyDatabase(source, target, () => {})
  } finally {
    await source.close()
    await target.close()
  }
}

/** Everything that readers see; of events, their order. */
async function shown(store: Store): Promise<unknown> {
  const all = (['customers', 'deals', 'events', 'commands'] as const).map(async (name) => {
    const parsed = parseQuery(collections[name], name === 'deals' ? 'deleted.in=true,false' : '')
    assert.ok('query' in parsed)
    const { items } = await store.as(SERVICE).page(collections[name], [], { ...parsed.query, size: 1000 })
    return items.map((item) => (name === 'events' ? JSON.parse(item).data : item))
  })
  return Promise.all(all)
}

test('a database goes from SQLite to PostgreSQL and back as it is', async () => {
  const there = await copy(sqlite, postgres)
  assert.ok('copied' in there)
  assert.deepEqual(
    there.copied.map(({ table, rows }) => [table, rows]),
    [
      ['own_indexes', 0],
      ['customers', 2],
      ['deals', 30],
      ...resources
        .filter(({ plural }) => !['customers', 'deals'].includes(plural))
        .map(({ plural }) => [plural, plural === 'pipelines' ? 1 : 0]),
      ['periods', 30],
      ['model', 0],
      ['events', 100],
      ['trimmed_feed', 0],
      ['trimmed_histories', 0],
      ['commands', 60],
      ['actors', 1],
      ['users', 1],
      ['former_users', 0],
      ['keys', 0],
      ['passwords', 1],
      ['calendars', 0],
      ['identities', 0],
      ['sessions', 0],
      ['invitations', 0],
      ['kept_forms', 0],
      ['set_up_code', 0],
      ['corrections', 0],
      ['imports', 0],
      ['import_pieces', 0],
      ['import_changes', 0],
      ['import_answers', 0],
      ['audit', 1],
      ['webhooks', 1],
      ['removed_webhooks', 0],
      ['deliveries', 16],
      ['teams', 0],
      ['roles', 3],
    ],
  )
  const returned = await copy(postgres, back)
  assert.deepEqual(returned, there)
  const [shared, again] = [await open(postgres), await open(back)]
  await postgres.settled()
  assert.deepEqual(await shown(shared), await shown(original))
  assert.deepEqual(await shown(again), await shown(original))
  assert.deepEqual(
    await back.rows('SELECT sequence FROM events ORDER BY sequence'),
    await sqlite.rows('SELECT sequence FROM events ORDER BY sequence'),
  )
  for (const store of [shared, again]) {
    const made = await performAlone(store, intentTo('create', undefined, { name: 'Di' }, { resource: 'customer' }))
    assert.ok(made.kind === 'applied')
    assert.equal(made.thing.id, 4, 'the id of a removed customer is not given again')
    const noted = await performAlone(store, intentTo('add-note', deal, { text: 'after the move' }))
    assert.equal(noted.kind, 'applied')
    await store.close()
  }
})

test('a webhook goes on in the copy where it was, also when events are numbered anew', async () => {
  const again = ownSqlite()
  assert.ok('copied' in (await copy(postgres, again)))
  const [shared, copied] = [await open(postgres), await open(again)]
  const taken = async (store: Store) =>
    (await store.webhooks.claim(takingOrder(100), [])).deliveries.map(({ number, event }) => [
      number,
      JSON.parse(event ?? '{}').data,
    ])
  await postgres.settled()
  const there = await taken(shared)
  // What waits for an earlier delivery of its deal is not due: of five deals the first, and the note of the last waits.
  // The customer that was made behind them waits for nobody.
  assert.deepEqual(
    there.map(([number]) => number),
    [1, 5, 8, 11, 14, 17],
  )
  assert.deepEqual(await taken(copied), there)
  for (const place of [postgres, again]) {
    assert.equal((await place.rows('SELECT last_number FROM webhooks'))[0]?.last_number, 18)
  }
  await Promise.all([shared.close(), copied.close()])
  again.remove()
})

test('a reader of the feed goes on in PostgreSQL where it was in SQLite', async () => {
  const parsed = parseQuery(collections.events, 'after=0000000000000099')
  assert.ok('query' in parsed)
  const store = await open(postgres)
  await postgres.settled()
  const { items } = await store.as(SERVICE).page(collections.events, [], parsed.query)
  assert.deepEqual(
    items.map((item) => JSON.parse(item).type),
    ['deal.held', 'customer.created', 'deal.note-added'],
  )
  await store.close()
})

test('a database that holds anything is not copied into', async () => {
  assert.deepEqual(await copy(sqlite, postgres), { refused: 'not empty', table: 'customers', rows: 3 })
  assert.deepEqual(await copy(postgres, back), { refused: 'not empty', table: 'customers', rows: 3 })
})

test('what is not the same when it is read back is not kept', async () => {
  const target = ownSqlite()
  const source = await openTransfer(sqlite.url, 'out')
  const damaged = await openTransfer(target.url, 'in')
  const result = await copyDatabase(
    source,
    {
      ...damaged,
      write: (table, columns, rows) =>
        damaged.write(
          table,
          columns,
          rows.map((row) => (table.name === 'commands' ? row.with(columns.indexOf('action'), 'Changed') : row)),
        ),
    },
    () => {},
  )
  await source.close()
  await damaged.close()
  assert.deepEqual(result, { refused: 'differs', table: 'commands' })
  assert.deepEqual(await target.rows('SELECT id FROM customers'), [])
  target.remove()
})

test('every table of both databases is copied', async () => {
  const known = transferTables(schema)
    .map(({ name }) => name)
    .toSorted()
  const inSqlite = await sqlite.rows(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%grams%' AND name NOT LIKE '%_totals_%' AND name NOT LIKE '%\\_own' ESCAPE '\\' ORDER BY name`,
  )
  assert.deepEqual(
    inSqlite.map(({ name }) => name),
    known,
  )
  const inPostgres = await postgres.rows(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'
     AND tablename NOT IN ('dealdesk_schema', 'feed_generation') AND tablename NOT LIKE '%_grams' AND tablename NOT LIKE '%\\_own' ORDER BY 1`,
  )
  assert.deepEqual(
    inPostgres.map(({ name }) => name),
    known,
  )
})

test('what was trimmed is so in the copy', async () => {
  const [from, through, to] = [ownSqlite(), await ownPostgres(), ownSqlite()]
  const store = await open(from)
  const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
  assert.ok(made.kind === 'applied')
  const id = String(made.thing.id)
  for (const description of ['one', 'two', 'three'])
    await performAlone(store, intentTo('describe', id, { description }))
  await performAlone(store, intentTo('add-note', id, { text: 'kept' }))
  await performAlone(store, intentTo('describe', id, { description: 'four' }))
  const maintenance = await openMaintenance({ databaseUrl: from.url }, { mustExist: true })
  await pause(5)
  for await (const _ of maintenance.trim({ commands: undefined, events: new Date().toISOString() }));
  await performAlone(store, intentTo('describe', id, { description: 'five' }))
  await store.close()
  await copy(from, through)
  await copy(through, to)
  for (const database of [through, to]) {
    const copied = await open(database)
    await database.settled()
    assert.equal(await copied.as(SERVICE).trimmed.of(id), 3)
    assert.match(String((await copied.as(SERVICE).event(dealResource, id, 5))?.entry), /"text":"kept"/)
    const parsed = parseQuery(collections.events, '')
    assert.ok('query' in parsed)
    const { items } = await copied.as(SERVICE).page(collections.events, [], parsed.query)
    assert.deepEqual(
      items.map((item) => JSON.parse(item).data.revision),
      [7],
    )
    await copied.close()
    database.remove()
  }
  from.remove()
})

test('a copy from SQLite to SQLite keeps the numbers of events, also of those that are gone', async (t) => {
  const from = ownSqlite()
  const to = ownSqlite()
  t.after(() => {
    from.remove()
    to.remove()
  })
  const store = await open(from)
  await addWebhook(store, webhook)
  for (let n = 0; n < 5; n++) await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
  await store.webhooks.claim(takingOrder(5), [])
  await store.close()
  await from.rows('DELETE FROM events WHERE sequence > 2')
  const copied = await copy(from, to)
  assert.ok('copied' in copied, JSON.stringify(copied))
  const places = 'SELECT sequence FROM deliveries UNION ALL SELECT cursor FROM webhooks'
  assert.deepEqual(await to.rows(places), await from.rows(places))
  const again = await open(to)
  await performAlone(again, intentTo('create', undefined, { name: 'Tower', price: 1 }))
  await again.close()
  assert.deepEqual((await to.rows('SELECT max(sequence) AS last FROM events'))[0]?.last, 6)
  // The checksum covers them: with other places the copy would have another one.
  await from.rows('UPDATE deliveries SET sequence = sequence + 1')
  const other = ownSqlite()
  t.after(() => other.remove())
  const moved = await copy(from, other)
  assert.ok('copied' in moved)
  const ofDeliveries = (result: CopyResult) =>
    'copied' in result && result.copied.find(({ table }) => table === 'deliveries')?.checksum
  assert.notEqual(ofDeliveries(moved), ofDeliveries(copied))
})
