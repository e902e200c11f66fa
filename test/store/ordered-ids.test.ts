import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { migrateDatabase, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { orderedIds } from '../../src/store/port/ordered-ids.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { auditRows } from '../../src/store/rows/audited/account.ts'
import { examineSqlite } from '../../src/store/sqlite/operate/examine.ts'
import { disordered } from '../../src/store/sqlite/schema/row-order.ts'
import { sqlite } from '../../src/store/sqlite/sql/dialect.ts'
import { auditWriter } from '../../src/store/transactions/accounts/audit-entries.ts'
import type { BoundStatement } from '../../src/store/transactions/work.ts'
import { millisecondsIn, uuidV7 } from '../../src/values/kinds/uuid.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { intentTo } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

test('ids sort as they are made, also in one millisecond and when the clock goes back', () => {
  const newId = orderedIds()
  const ids = [...Array.from({ length: 9000 }, () => newId(5)), newId(2), newId(7), newId(8)]
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

test('entries of the audit sort as they are written, whichever part of the store writes them', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 })
  const writers = Array.from({ length: 3 }, () => auditWriter(sqlite))
  // The first has counted further in this millisecond than the others when their turn comes.
  const turns = [0, 0, 0, 0, 1, 2, 1, 0, 2, 2].map((at) => writers[at] ?? assert.fail())
  const ids = turns.map((write) => {
    const [asked] = write('sign-in', {}, { actor: 'ann', address: '::1' }).next().value as BoundStatement[]
    return String(asked?.values[auditRows.columns.indexOf('id')])
  })
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

test('on SQLite rows stay in the order of their ids, also after a clock that was ahead', async (t) => {
  const database = ownSqlite('ready')
  t.after(() => database.remove())
  const withStore = async <T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> => {
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    const done = await work(store)
    await store.close()
    return done
  }
  const add = (name: string) =>
    withStore(async (store) => {
      const made = await performAlone(store, intentTo('create', undefined, { name, price: 1 }))
      return made.kind === 'applied' ? String(made.thing.id) : assert.fail()
    })
  const named = (query: string) =>
    withStore(async (store) => {
      const deals = collectionNamed(schema, 'deals')
      const parsed = parseQuery(deals, query)
      assert.ok('query' in parsed)
      return (await store.as(SERVICE).page(deals, [], parsed.query)).items.map((item) => JSON.parse(item).name)
    })
  const ahead = 'ffff6f2e-5d3c-7a41-8f6b-000000000001'
  const first = await add('First')
  const second = await add('Second')
  const rename = async (from: string, to: string) => {
    await database.rows(`UPDATE deals SET id = '${to}', doc = replace(doc, '${from}', '${to}') WHERE id = '${from}'`)
    await database.rows(`UPDATE periods SET deal_id = '${to}' WHERE deal_id = '${from}'`)
    await database.rows(`UPDATE events SET subject = '${to}' WHERE subject = '${from}'`)
  }
  await rename(second, ahead)
  const third = await add('Third')
  assert.ok(third > ahead)
  assert.deepEqual(await named(`sort=id&gt=${first}`), ['Second', 'Third'])
  assert.deepEqual(await named(`min=${second}&max=${ahead}`), ['Second'])
  assert.deepEqual(await named('lt=ffff6f2e-5d3c-7a41-8f6b-000000000000&sort=-id'), ['First'])
  assert.deepEqual(await named('gt=ffffffff-ffff-ffff-ffff-ffffffffffff'), [])

  // An earlier release numbered rows as they came.
  await rename(third, '00000000-5d3c-7a41-8f6b-000000000001')
  using db = new DatabaseSync(database.url)
  assert.deepEqual(disordered(db, schema), ['deals'])
  db.exec('DROP TABLE grams_witness')
  await migrateDatabase({ databaseUrl: database.url }, () => {})
  assert.deepEqual(disordered(db, schema), [])
  const derived = () =>
    examineSqlite(database.url, { isThorough: true, makesFolder: false }).findings.find(
      ({ about }) => about === 'derived',
    )
  assert.equal(derived()?.state, 'ok')
  db.exec('UPDATE deals_totals_0 SET items = items + 1; UPDATE deals SET stage_since = created_at')
  assert.match(derived()?.text ?? '', /^deals_totals_0/)
  db.exec('UPDATE deals_totals_0 SET items = items - 1')
  assert.deepEqual(await named('sort=-id'), ['Second', 'First', 'Third'])
  assert.deepEqual(await named('q=thir'), ['Third'])
  await assertSearchIndex(database)
})

test('an id of a running store is after those that another process wrote meanwhile', async (t) => {
  const database = ownSqlite('ready')
  t.after(() => database.remove())
  const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  t.after(() => store.close())
  const add = async () => {
    const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
    return made.kind === 'applied' ? String(made.thing.id) : assert.fail()
  }
  const first = await add()
  const ahead = uuidV7(millisecondsIn(first) + 86_400_000, new Uint8Array(10))
  await database.rows(`UPDATE deals SET id = '${ahead}', doc = replace(doc, '${first}', '${ahead}')`)
  const both = [await add(), await add()]
  assert.deepEqual([ahead, ...both].toSorted(), [ahead, ...both])
})
