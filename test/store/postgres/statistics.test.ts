import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { demoContent } from '../../../src/demo/content.ts'
import { fillNextIndex } from '../../../src/store/fill-indexes.ts'
import { migrateDatabase, openMaintenance, openStore, openTransfer } from '../../../src/store/open.ts'
import { performAlone } from '../../../src/store/port/store.ts'
import { copyDatabase } from '../../../src/store/transactions/copy-database.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../../support/database/own-database.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { schema } from '../../support/schema.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { lines, openDesk } from '../../support/service/running-command.ts'

// The server of the tests renews no statistics by itself.

/** The number of rows that the planner believes in; -1 if it knows nothing of the table. */
async function believed(database: OwnDatabase, ...tables: readonly string[]): Promise<readonly number[]> {
  const known = tables.map((table) => `(SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass('${table}'))`)
  const [row = {}] = await database.rows(`SELECT ${known.map((each, at) => `${each} AS n${at}`).join(', ')}`)
  return Object.values(row).map(Number)
}

const content = () => demoContent(schema)

suite('PostgreSQL knows how many rows there are', () => {
  const openDatabase = async (): Promise<OwnDatabase> => {
    const database = await ownPostgres('ready')
    closedWithTest(async () => database.remove())
    return database
  }

  test('after an import, and plans a page by it', async () => {
    const database = await openDatabase()
    await using desk = openDesk({ DATABASE_URL: database.url })
    const rows = Array.from({ length: 3000 }, (_, n) => `Customer ${n},${n % 90}`)
    assert.equal((await desk.run(['import', 'customers', desk.write('c.csv', lines('name,age', ...rows))])).code, 0)
    assert.deepEqual(await believed(database, 'customers', 'customers_grams', 'customers_own'), [3000, 3000, 0])
    const plan = await database.rows('EXPLAIN (FORMAT JSON) SELECT * FROM customers WHERE age >= 30 AND age <= 59')
    const { 'Plan Rows': expected } = (Object.values(plan[0] ?? {})[0] as [{ Plan: { 'Plan Rows': number } }])[0].Plan
    assert.ok(expected > 700 && expected < 1300, `${expected} of the 1,000 rows that there are`)
    const deals = desk.write('d.csv', lines('reference,name,price', 'a,Roof,1', 'b,Tower,2'))
    assert.equal((await desk.run(['import', 'deals', deals])).code, 0)
    assert.deepEqual(await believed(database, 'deals', 'periods', 'events'), [2, 2, 3])
  })

  test('after a database was filled, copied or migrated', async () => {
    const sqlite = ownSqlite('ready')
    closedWithTest(async () => sqlite.remove())
    const source = await openMaintenance({ databaseUrl: sqlite.url }, { mustExist: true })
    assert.equal(await source.fill(content()), 'filled')
    const [copied, filled] = [await openDatabase(), await openDatabase()]
    const [from, to] = [await openTransfer(sqlite.url, 'out'), await openTransfer(copied.url, 'in')]
    assert.ok('copied' in (await copyDatabase(from, to, () => {})))
    await Promise.all([from.close(), to.close()])
    const target = await openMaintenance({ databaseUrl: filled.url }, { mustExist: true })
    assert.equal(await target.fill(content()), 'filled')
    const tables = ['customers', 'deals', 'deals_grams', 'deals_own', 'periods', 'events', 'commands']
    const counts = async (database: OwnDatabase): Promise<readonly number[]> => {
      const found = tables.map(async (table) => (await database.rows(`SELECT count(*) AS n FROM ${table}`))[0]?.n)
      return (await Promise.all(found)).map(Number)
    }
    for (const database of [copied, filled])
      assert.deepEqual(await believed(database, ...tables), await counts(database))

    await copied.rows('DELETE FROM periods')
    await copied.rows(`COMMENT ON TABLE deals_grams IS 'of an earlier release'`)
    await migrateDatabase({ databaseUrl: copied.url }, () => {})
    assert.deepEqual(await believed(copied, ...tables), await counts(copied))
  })

  test('after the index of a field was filled', async () => {
    const database = await openDatabase()
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, assert.fail)
    closedWithTest(() => store.close())
    const write = async (resource: string, action: string, params: object, target?: string) => {
      const change = { action, params }
      const outcome = await performAlone(store, { ...intentTo('hold', target ?? '', {}), resource, target, change })
      assert.ok(outcome.kind === 'applied')
      return String(outcome.thing.id)
    }
    const field = { on: 'deal', name: 'code', title: 'Code', kind: 'integer' }
    const id = await write('field', 'CreateField', field)
    for (const code of [1, 2, 3]) await write('deal', 'CreateDeal', { name: 'Roof', price: 1, own: { code } })
    await write('field', 'ChangeField', { indexed: true }, id)
    assert.deepEqual(await believed(database, 'deals_own'), [-1])
    while ((await fillNextIndex(store, 2)) !== 'idle');
    assert.deepEqual(await believed(database, 'deals_own'), [3])
  })
})
