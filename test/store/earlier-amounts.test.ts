import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { migrateDatabase, openStore, openTransfer } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { copyDatabase } from '../../src/store/transactions/copy-database.ts'
import { type EarlierDatabase, earlierDatabases } from '../support/database/earlier-database.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import type { PlainRow } from '../support/inputs/naive-evaluator.ts'
import { collections, deal } from '../support/schema.ts'

// The first release kept cents, whatever the currency, and totals up to 9e13.

const yen = '01936f2e-5d3c-7a41-8f6b-000000000001'
const rich = '01936f2e-5d3c-7a41-8f6b-000000000002'
const at = '2026-11-01T08:00:00.000Z'
const kept = [
  { id: yen, currency: 'JPY', price: '12.5', paid: '0.1', cents: [1250, 10] },
  { id: rich, currency: 'EUR', price: '0.29', paid: '89999999999999.99', cents: [29, 8_999_999_999_999_999] },
] as const

const databases: OwnDatabase[] = []
after(() => {
  for (const database of databases) database.remove()
})

for (const [name, make] of earlierDatabases) {
  test(`amounts kept by an earlier release stay as they are, on ${name}`, async () => {
    const database = await earlier(make)
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    for (const deal of kept) assert.deepEqual(await shownAmounts(store, deal.id), [deal.price, deal.paid])
    for (const { id, price, paid } of kept) {
      const renamed = await performAlone(store, intentTo('rename', id, { newName: 'Other' }))
      assert.equal(renamed.kind, 'applied', JSON.stringify(renamed))
      assert.deepEqual(await shownAmounts(store, id), [price, paid])
    }
    assert.deepEqual(await found(store, 'price=12.5'), [yen])
    assert.deepEqual(await found(store, 'paid.gte=9000000000000'), [rich])
    assert.deepEqual(await found(store, 'paid.regex=999.99'), [rich])
    assert.deepEqual(await found(store, 'sort=price'), [rich, yen])
    assert.deepEqual(await pageByPage(store, 'sort=-paid'), [rich, yen])
    const payment = await performAlone(store, intentTo('record-payment', yen, { amount: 0.9 }))
    assert.equal(payment.kind, 'refused')
    await store.close()
  })

  test(`a copy of them is exact, from ${name}`, async () => {
    const source = await earlier(make)
    const target = name === 'SQLite' ? await ownPostgres() : ownSqlite()
    databases.push(target)
    await migrateDatabase({ databaseUrl: source.url }, () => {})
    const from = await openTransfer(source.url, 'out')
    const to = await openTransfer(target.url, 'in')
    const result = await copyDatabase(from, to, () => {})
    await Promise.all([from.close(), to.close()])
    assert.ok('copied' in result, JSON.stringify(result))
    const [row] = await target.rows('SELECT CAST(paid_thousandths AS TEXT) AS paid FROM deals WHERE id = ?', rich)
    assert.equal(row?.paid, '89999999999999990')
  })
}

async function shownAmounts(store: Store, id: string): Promise<readonly unknown[]> {
  const { json = '' } = (await store.as(SERVICE).find(deal, id)) ?? {}
  return [/"price":([\d.]+)/.exec(json)?.[1], /"paid":([\d.]+)/.exec(json)?.[1]]
}

async function found(store: Store, search: string): Promise<readonly string[]> {
  return (await page(store, search)).items.map((json) => JSON.parse(json).id)
}

async function pageByPage(store: Store, search: string): Promise<readonly string[]> {
  const { deals } = collections
  const first = await page(store, `${search}&maxpagesize=1`)
  const parsed = parseQuery(deals, `${search}&maxpagesize=1`)
  assert.ok('query' in parsed && first.last !== undefined)
  const { page: _page, ...query } = parsed.query
  const second = await store.as(SERVICE).page(collections.deals, [], { ...query, after: first.last })
  assert.equal(second.hasMore, false)
  return [...first.items, ...second.items].map((json) => JSON.parse(json).id)
}

function page(store: Store, search: string) {
  const parsed = parseQuery(collections.deals, search)
  assert.ok('query' in parsed, inspect(parsed))
  return store.as(SERVICE).page(collections.deals, [], parsed.query)
}

/** With what it held. */
async function earlier(make: EarlierDatabase): Promise<OwnDatabase> {
  const database = await make('0006-thousandths')
  databases.push(database)
  await database.insert('deals', rows())
  return database
}

const rows = (): readonly PlainRow[] =>
  kept.map(({ id, currency, price, paid, cents }) => ({
    id,
    name: 'Roof',
    price: cents[0],
    currency,
    description: '',
    stage: 'lead',
    status: 'open',
    held: false,
    archived: false,
    amercement: 0,
    paid: cents[1],
    created_at: at,
    updated_at: at,
    revision: 1,
    doc: `{"id":"${id}","name":"Roof","price":${price},"currency":"${currency}","customerId":null,"owner":null,"description":"","stage":"lead","completionDate":null,"status":"open","held":false,"holdReason":null,"archived":false,"amercement":0,"paid":${paid},"completedOn":null,"acceptedBy":null,"closingReason":null,"deletedAt":null,"createdAt":"${at}","updatedAt":"${at}","revision":1}`,
  }))
