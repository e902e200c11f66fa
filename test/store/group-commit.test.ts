import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { type Outcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { leaveThread, takeThread } from '../../src/store/sqlite/connect/threads.ts'
import type { ReadJob } from '../../src/store/sqlite/read/reader.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'

const database = ownSqlite('ready')
let store: Store
before(async () => {
  store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
})
after(async () => {
  await store.close()
  await database.remove()
})

const create = (name: string): Promise<Outcome> =>
  performAlone(store, intentTo('create', undefined, { name, price: 1 }))
const names = async (): Promise<readonly unknown[]> =>
  (await database.rows('SELECT name FROM deals ORDER BY id')).map(({ name }) => name)
const numbered = (count: number, what: string): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `${what} ${nth}`)

test('what is asked for at once is one commit, in order, however many portions it comes in', async () => {
  const { commits, changes } = { ...store.counts }
  const asked = numbered(100, 'Deal')
  const outcomes = await Promise.all(asked.map(create))
  assert.ok(outcomes.every(({ kind }) => kind === 'applied'))
  assert.deepEqual([store.counts.commits - commits, store.counts.changes - changes], [1, 100])
  assert.equal(store.counts.waiting, 0)
  assert.deepEqual(await names(), asked)
})

test('more than a batch holds is a second commit', async () => {
  const { commits } = { ...store.counts }
  await Promise.all(numbered(130, 'More').map(create))
  assert.equal(store.counts.commits - commits, 2)
  assert.equal((await names()).length, 230)
})

test('a write that throws undoes none of those beside it, in whichever portion they came', async () => {
  await database.rows(`CREATE TRIGGER no_thirty BEFORE INSERT ON deals WHEN new.name = 'Beside 30'
    BEGIN SELECT raise(ABORT, 'not this one'); END`)
  const asked = numbered(60, 'Beside')
  const settled = await Promise.allSettled(asked.map(create))
  const failed = settled.flatMap((each, nth) => (each.status === 'rejected' ? [[nth, each.reason]] : []))
  assert.equal(failed.length, 1)
  assert.equal(failed[0]?.[0], 30)
  assert.match(String(failed[0]?.[1]), /not this one/)
  const kept = asked.filter((_, nth) => nth !== 30)
  assert.deepEqual((await names()).slice(230), kept)
  const events = await database.rows(`SELECT subject FROM events WHERE operation = 'create'`)
  assert.equal(new Set(events.map(({ subject }) => subject)).size, 230 + kept.length)
  await database.rows('DROP TRIGGER no_thirty')
  assert.equal((await create('Afterwards')).kind, 'applied')
})

test('a store that is closed first commits what it was asked for', async () => {
  const other = ownSqlite('ready')
  const closing = await openStore({ databaseUrl: other.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  const asked = Array.from({ length: 20 }, () =>
    performAlone(closing, intentTo('create', undefined, { name: 'Last', price: 1 })),
  )
  await closing.close()
  assert.ok((await Promise.all(asked)).every(({ kind }) => kind === 'applied'))
  assert.deepEqual(await other.rows('SELECT count(*) AS deals FROM deals'), [
    Object.assign(Object.create(null), { deals: 20 }),
  ])
  await other.remove()
})

const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

test('a store begins its writer with the first write, and one without writes begins none', async () => {
  const other = ownSqlite('ready')
  const before = threads()
  const reading = await openStore({ databaseUrl: other.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  await reading.check()
  assert.equal((await reading.accounts.users()).length, 0)
  await reading.imports.trim(new Date().toISOString())
  await reading.webhooks.release()
  assert.equal(threads(), before)
  const asked = performAlone(reading, intentTo('create', undefined, { name: 'First', price: 1 }))
  assert.equal(threads(), before + 1)
  assert.equal((await asked).kind, 'applied')
  await reading.close()
  await other.remove()
})

test('a store whose database was ended by a fault leaves no thread when it is closed', async () => {
  const other = ownSqlite('ready')
  const before = threads()
  const fatal: string[] = []
  const broken = await openStore({ databaseUrl: other.url, currency: 'EUR' }, ({ message }) => fatal.push(message))
  rmSync(`${other.url}-shm`)
  await assert.rejects(performAlone(broken, intentTo('create', undefined, { name: 'Lost', price: 1 })))
  await broken.close()
  assert.deepEqual([fatal.length, threads()], [1, before])
  await other.remove()
})

test('the threads of a closed store serve the next one, with its database and its settings alone', async () => {
  const databases = [ownSqlite('ready'), ownSqlite('ready')] as const
  const workers = new Set<unknown>()
  for (const [nth, currency] of ['EUR', 'JPY'].entries()) {
    const { url, rows } = databases[nth as 0 | 1]
    const next = await openStore({ databaseUrl: url, currency }, (cause) => assert.fail(cause))
    await performAlone(next, intentTo('create', undefined, { name: currency, price: 1 }))
    const writes = await rows('SELECT name, currency FROM deals')
    assert.deepEqual(
      writes.map((row) => ({ ...row })),
      [{ name: currency, currency }],
    )
    await next.close()
    const reader = takeThread(READER, url)
    workers.add(reader)
    const answered = once(reader, 'message')
    reader.postMessage({ selects: [{ text: 'SELECT name FROM deals', values: [] }], as: 'rows' } satisfies ReadJob)
    assert.deepEqual(await answered, [{ rows: [[[currency]]] }])
    await leaveThread(READER, reader)
  }
  assert.equal(workers.size, 1)
  for (const { remove } of databases) remove()
})

const READER = new URL('../../src/store/sqlite/read/reader.ts', import.meta.url)
