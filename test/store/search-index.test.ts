import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { randomFrom } from '../../src/demo/random.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { migrateDatabase, openMaintenance, openStore, openTransfer } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { prepareSearch } from '../../src/store/postgres/schema/search-index.ts'
import { postgres } from '../../src/store/postgres/sql/dialect.ts'
import { gramLeads, leadSelect } from '../../src/store/select/gram-leads.ts'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { laterIndexing } from '../../src/store/sqlite/schema/search-index.ts'
import { sqlite } from '../../src/store/sqlite/sql/dialect.ts'
import { copyDatabase } from '../../src/store/transactions/copy-database.ts'
import { importAllCustomers } from '../support/database/import-customers.ts'
import { assertTotals } from '../support/database/kept-totals.ts'
import { type OwnDatabase, ownDatabases, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { intentTo, intentToUpdate } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

const open = ({ url }: OwnDatabase): Promise<Store> =>
  openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))

async function namesAt(store: Store, name: string, query: string): Promise<readonly string[]> {
  const collection = collectionNamed(schema, name)
  const parsed = parseQuery(collection, query)
  assert.ok('query' in parsed, inspect(parsed))
  const { items, total } = await store.as(SERVICE).page(collection, [], parsed.query)
  if (parsed.query.count) assert.equal(total, items.length)
  return items.map((item) => JSON.parse(item).name)
}

for (const [engine, make] of ownDatabases) {
  describe(`the search index on ${engine}`, () => {
    test('leads from a name to its deals, not from another field that has the same text', async (t) => {
      const database = await make()
      const store = await open(database)
      t.after(() => store.close())
      t.after(() => database.remove())
      const add = async (resource: string, params: object): Promise<string> => {
        const made = await performAlone(store, intentTo('create', undefined, params, { resource }))
        assert.ok(made.kind === 'applied', JSON.stringify(made))
        return String(made.thing.id)
      }
      const made: string[] = []
      for (const customer of [
        { name: 'Called', phone: '0171 555' },
        { name: 'Club 0171', company: 'Dive' },
        { name: 'Named', company: '0171 Ltd' },
      ]) {
        const customerId = Number(await add('customer', customer))
        made.push(await add('deal', { name: `Deal of ${customer.name.slice(0, 4)}`, price: 1, customerId }))
      }
      const deals = collectionNamed(schema, 'deals')
      const led = async (query: string): Promise<readonly unknown[]> => {
        const parsed = parseQuery(deals, query)
        assert.ok('query' in parsed, inspect(parsed))
        const [lead = []] = gramLeads(deals, parsed.query.filter)
        const { text, values } = leadSelect(deals, lead, engine === 'PostgreSQL' ? postgres : sqlite, 'key', 100)
        const rows = await database.rows(text, ...(values as readonly SQLInputValue[]))
        // On SQLite rows that wait to be indexed are led to by their numbers.
        return rows.flatMap(({ found }) => (typeof found === 'string' ? [found] : [])).toSorted()
      }
      assert.deepEqual(await led('q=0171'), [made[1]])
      assert.deepEqual(await led('or=(customer.name.ilike.*0171*,customer.company.ilike.*0171*)'), made.slice(1))
      assert.deepEqual(await namesAt(store, 'deals', 'q=0171'), ['Deal of Club'])
    })

    test('follows every write, import, purge and copy', async (t) => {
      const database = await make()
      const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: false })
      const store = await open(database)
      t.after(() => store.close())
      t.after(() => database.remove())
      const add = async (resource: string, params: object): Promise<string> => {
        const made = await performAlone(store, intentTo('create', undefined, params, { resource }))
        assert.ok(made.kind === 'applied', JSON.stringify(made))
        return String(made.thing.id)
      }
      const muller = Number(await add('customer', { name: 'Müller', company: '株式会社デスク', email: 'm@x.example' }))
      const gone = Number(await add('customer', { name: 'Gone' }))
      await add('customer', { name: "O'Hara \\ 50%_" })
      const roof = await add('deal', { name: 'Roof', price: 1, customerId: muller, description: 'ﾃﾞｽｸ ΣΑΣ' })
      const tower = await add('deal', { name: 'Turm', price: 1, owner: 'Ana' })
      await performAlone(store, intentToUpdate(tower, { name: 'Tower Straße' }))
      await performAlone(store, intentTo('hold', roof, { reason: 'Turm' }))
      await performAlone(store, intentTo('unhold', roof, {}))
      await performAlone(store, intentTo('hold', roof, { reason: 'Prüfung' }))
      await performAlone(store, intentTo('unhold', roof, {}))
      for (const phone of ['0171 555 12', '0171-555-13', '0171']) {
        const asked = { resource: 'customer', target: muller }
        const changed = await performAlone(store, intentToUpdate('', { phone }, asked))
        assert.equal(changed.kind, 'applied', inspect(changed))
        const [row] = await database.rows('SELECT folded FROM customers WHERE id = ?', muller)
        assert.equal(String(row?.folded).includes('Digits'), phone !== '0171')
      }
      await performAlone(store, intentTo('delete', undefined, {}, { resource: 'customer', target: gone }))
      const old = await add('deal', { name: 'Old', price: 1 })
      await performAlone(store, intentTo('delete', old))
      for await (const _ of maintenance.purge('9999-01-01', { dryRun: false }));
      const imported = [
        { id: muller, name: 'Mueller' },
        { id: 500, name: 'Ábel' },
      ]
      for (let times = 0; times < 2; times++) await importAllCustomers(store, [imported])
      await assertSearchIndex(database)
      await assertTotals(database)

      for (const [collection, query, names] of [
        ['customers', 'q=muller', []],
        ['customers', 'q=MUEL', ['Mueller']],
        ['customers', 'q=式会', ['Mueller']],
        ['customers', 'q=ク', ['Mueller']],
        ['customers', 'q=ﾃﾞｽ+mue', ['Mueller']],
        ['customers', 'q=gone', []],
        ['customers', "q=o'h+%5C+%25_", ["O'Hara \\ 50%_"]],
        ['customers', 'q=abel&count=exact', ['Ábel']],
        ['customers', 'q=a&sort=-name', ['Ábel', "O'Hara \\ 50%_", 'Mueller']],
        ['customers', 'name.starts=%C3%A1b&age.null=true', ['Ábel']],
        ['deals', 'q=デスク', ['Roof']],
        ['deals', 'q=σασ', ['Roof']],
        ['deals', 'q=strasse', ['Tower Straße']],
        ['deals', 'q=turm', []],
        ['deals', 'q=muel', ['Roof']],
        ['deals', 'q=muel+sku', []],
        ['deals', 'q=ana', ['Tower Straße']],
        ['deals', 'customer.name.contains=muel&count=exact', ['Roof']],
      ] as const) {
        assert.deepEqual(await namesAt(store, collection, query), names, query)
      }

      const copy = ownSqlite()
      t.after(() => copy.remove())
      const source = await openTransfer(database.url, 'out')
      const target = await openTransfer(copy.url, 'in')
      assert.ok('copied' in (await copyDatabase(source, target, () => {})))
      await Promise.all([source.close(), target.close()])
      await assertSearchIndex(copy)
      await assertTotals(copy)
    })

    test('is made for a database of a release that had none', async (t) => {
      const database = await make()
      const store = await open(database)
      await performAlone(store, intentTo('create', undefined, { name: 'Müller' }, { resource: 'customer' }))
      await store.close()
      if (engine === 'SQLite') await database.rows('DROP TRIGGER customers_grams_inserted')
      else await database.rows(`COMMENT ON TABLE customers_grams IS NULL`)
      await database.rows('UPDATE customers SET folded = NULL')
      await migrateDatabase({ databaseUrl: database.url }, () => {})
      const upgraded = await open(database)
      t.after(() => upgraded.close())
      t.after(() => database.remove())
      assert.deepEqual(await namesAt(upgraded, 'customers', 'q=mulle'), ['Müller'])
      assert.deepEqual(await namesAt(upgraded, 'customers', 'name.contains=ller'), ['Müller'])
      await assertSearchIndex(database)
      await assertTotals(database)
    })
  })
}

test('a large import on SQLite adds to the index, whatever the order of its rows', async (t) => {
  const database = ownSqlite('ready')
  const store = await open(database)
  t.after(() => store.close())
  t.after(() => database.remove())
  // Removed before, and noted until they are gone from the index.
  for (const id of [1, 2, 3, 4]) {
    await performAlone(store, intentTo('create', undefined, { name: 'Gone' }, { resource: 'customer' }))
    await performAlone(store, intentTo('delete', undefined, {}, { resource: 'customer', target: id }))
  }
  const rowsOf = (place: string) =>
    Array.from({ length: 4000 }, (_, n) => ({ id: 8000 - 2 * n, name: `Müller ${n}`, email: `m${n}@${place}.example` }))
  const rising = Array.from({ length: 500 }, (_, n) => ({ id: 8001 + 2 * n, name: `Rising ${n}`, company: 'Éclair' }))
  const rows = [...rowsOf('x'), ...rising, ...rowsOf('y').slice(0, 50), { ...rising[7], company: 'Tonnerre' }]
  await importAllCustomers(store, [rows])
  await assertSearchIndex(database)
  const breaking = async function* () {
    yield [{ id: 9001, name: 'Zoë' }]
    throw new Error('broken')
  }
  await assert.rejects(importAllCustomers(store, breaking()), /broken/)
  await assertSearchIndex(database)
  await assertTotals(database)
  assert.deepEqual(await namesAt(store, 'customers', 'q=MULL+m2499'), ['Müller 2499'])
  assert.equal((await namesAt(store, 'customers', 'q=@y.ex&maxpagesize=100')).length, 50)
  // More rows than are looked at along the sort, of which the index leads to most.
  const all = rowsOf('x').flatMap(({ name }) => (name.includes('99') ? [name] : []))
  for (const [sort, sorted] of [
    ['id', all.toReversed()],
    ['-id', all],
  ] as const) {
    const first = await namesAt(store, 'customers', `q=muller+99&sort=${sort}&maxpagesize=70`)
    assert.deepEqual(first, sorted.slice(0, 70))
    const third = await namesAt(store, 'customers', `q=muller+99&sort=${sort}&maxpagesize=25&page=3`)
    assert.deepEqual(third, sorted.slice(50, 75))
  }
})

test('a common word beside a rare one on PostgreSQL is looked for in the rows alone', async (t) => {
  const database = await ownPostgres('ready')
  const store = await open(database)
  t.after(() => store.close())
  t.after(() => database.remove())
  const columns = 'id, name, email, created_at, updated_at, revision, doc'
  await database.rows(`INSERT INTO customers (${columns})
    SELECT n, n || ' Muster', CASE WHEN n <> 24_001 THEN 'x@example.com' END, '', '', 1, json_build_object('name', n || ' Muster')
    FROM generate_series(1, 25_000) AS n`)
  for (const statistics of ['SELECT 1', 'ANALYZE customers_grams']) {
    await database.rows(statistics)
    assert.deepEqual(await namesAt(store, 'customers', 'q=example+4000&count=exact'), [
      '4000 Muster',
      '14000 Muster',
      '24000 Muster',
    ])
    assert.deepEqual(await namesAt(store, 'customers', 'q=muster+24001'), ['24001 Muster'])
    assert.deepEqual(await namesAt(store, 'customers', 'q=example+24001'), [])
  }
})

test('on PostgreSQL a field that is searched from now on is added to the index, which stays', async (t) => {
  const database = await ownPostgres('ready')
  t.after(() => database.remove())
  const store = await open(database)
  t.after(() => store.close())
  for (const params of [{ name: 'Roof', reference: 'ÄB-77' }, { name: 'Tower' }])
    assert.equal((await performAlone(store, intentTo('create', undefined, { price: 1, ...params }))).kind, 'applied')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(() => client.end())
  const inStep = async (work: () => Promise<unknown>): Promise<void> => {
    await client.query('BEGIN')
    await work()
    await client.query('COMMIT')
  }
  const steps: string[] = []
  const prepare = (resources: typeof schema.resources) =>
    prepareSearch(client, { ...schema, resources }, inStep, (step) => void steps.push(step))
  const trees = () => database.rows(`SELECT relfilenode AS file FROM pg_class WHERE relname = 'deals_grams_index'`)

  await prepare(
    schema.resources.map((resource) => ({
      ...resource,
      ...(resource.name === 'deal' && { searched: ['name', 'description', 'owner'] as const }),
    })),
  )
  const earlier = await trees()
  await database.rows(`UPDATE deals SET folded = NULL`)
  assert.deepEqual(await namesAt(store, 'deals', 'q=tower'), ['Tower'])
  steps.length = 0
  await prepare(schema.resources)
  assert.deepEqual(await trees(), earlier)
  assert.equal(steps[0], 'the search index of deals: reference')
  await assertSearchIndex(database)
  assert.deepEqual(await namesAt(store, 'deals', 'q=ab-77'), ['Roof'])
  steps.length = 0
  await prepare(schema.resources)
  assert.deepEqual(steps, [])
})

test('the index on SQLite survives VACUUM, and a dump that numbers the rows anew', async (t) => {
  const database = ownSqlite('ready')
  t.after(() => database.remove())
  const first = await open(database)
  const ids: string[] = []
  for (const name of ['Roof', 'Tower', 'Bridge', 'Garden']) {
    const made = await performAlone(first, intentTo('create', undefined, { name, price: 1 }))
    assert.ok(made.kind === 'applied')
    ids.push(String(made.thing.id))
  }
  await performAlone(first, intentTo('delete', ids[1]))
  await first.close()
  const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
  for await (const _ of maintenance.purge('9999-01-01', { dryRun: false }));
  for (const statements of [['VACUUM'], await asDumped(database)]) {
    for (const statement of statements) await database.rows(statement)
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const again = await open(database)
    for (const name of ['Roof', 'Bridge', 'Garden']) {
      assert.deepEqual(await namesAt(again, 'deals', `q=${name}`), [name], statements.join())
    }
    await again.close()
    await assertSearchIndex(database)
    await assertTotals(database)
  }
  const [last] = await database.rows('SELECT max(rowid) AS last FROM deals')
  assert.equal(last?.last, 3)
})

/** The tables as a loaded dump has them: one row after the other, before there are triggers. */
async function asDumped(database: OwnDatabase): Promise<readonly string[]> {
  const triggers = await database.rows(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'deals'`,
  )
  return [
    ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
    ...['deals', 'grams_witness'].flatMap((table) => [
      `CREATE TABLE dumped AS SELECT * FROM ${table} ORDER BY rowid`,
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} SELECT * FROM dumped ORDER BY rowid`,
      'DROP TABLE dumped',
    ]),
    ...triggers.map(({ sql }) => String(sql)),
  ]
}

test('on SQLite many rows are indexed together, and fewer while nothing is written', (t) => {
  const { url, remove } = ownSqlite('ready')
  const db = connect(url)
  t.after(remove)
  t.after(() => db.close())
  const { isDue } = laterIndexing(db, schema)
  const note = (rows: number) =>
    db.exec(`DELETE FROM customers_grams_later; WITH RECURSIVE noted (row) AS
      (SELECT 1 UNION ALL SELECT row + 1 FROM noted WHERE row < ${rows})
      INSERT INTO customers_grams_later SELECT row, NULL FROM noted`)
  note(255)
  assert.deepEqual([isDue(true), isDue(false)], [false, false])
  note(256)
  assert.deepEqual([isDue(true), isDue(false)], [true, false])
  note(2048)
  assert.deepEqual([isDue(true), isDue(false)], [true, true])
})

test('on SQLite rows that wait to be indexed are found, and few wait', async (t) => {
  const database = ownSqlite('ready')
  const store = await open(database)
  t.after(() => store.close())
  t.after(() => database.remove())
  const waiting = async (): Promise<number> =>
    Number((await database.rows('SELECT count(*) AS n FROM customers_grams_later'))[0]?.n)
  const add = (nth: number) =>
    performAlone(store, intentTo('create', undefined, { name: `Numbered n${nth}x` }, { resource: 'customer' }))
  await add(0)
  assert.equal(await waiting(), 1)
  assert.deepEqual(await namesAt(store, 'customers', 'q=n0x&count=exact'), ['Numbered n0x'])
  for (let nth = 1; nth < 600; nth += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => add(nth + at)))
  // While nothing is written fewer wait.
  while ((await waiting()) >= 256) await setTimeout(50)
  assert.ok(Number((await database.rows('SELECT count(DISTINCT doc) AS n FROM customers_grams_terms'))[0]?.n) >= 256)
  for (const nth of [0, 1, 300, 599, 600]) {
    assert.deepEqual(await namesAt(store, 'customers', `q=n${nth}x&count=exact`), [`Numbered n${nth}x`])
  }
  await performAlone(store, intentTo('delete', undefined, {}, { resource: 'customer', target: 1 }))
  const changed = { name: 'Renamed' }
  await performAlone(store, intentTo('change', undefined, changed, { resource: 'customer', target: 2 }))
  assert.deepEqual(await namesAt(store, 'customers', 'q=n0x'), [])
  assert.deepEqual(await namesAt(store, 'customers', 'q=n1x'), [])
  assert.deepEqual(await namesAt(store, 'customers', 'q=rena'), ['Renamed'])
  await assertSearchIndex(database)
  await importAllCustomers(store, [[{ id: 3, name: 'Imported' }]])
  assert.equal(await waiting(), 0)
  await assertSearchIndex(database)
})

test('on SQLite the index forgets what a row said before, however often it changes', async (t) => {
  const database = ownSqlite('ready')
  const store = await open(database)
  t.after(() => store.close())
  t.after(() => database.remove())
  const act = (operation: string, params: object, target?: number) =>
    performAlone(store, intentTo(operation, undefined, params, { resource: 'customer', ...(target && { target }) }))
  const random = randomFrom(7)
  const words = ['Ada', 'Müller', '株式会社', 'Straße', 'Ann', 'Anna', 'σας', "O'Hara"]
  const word = (): string => `${words[random(words.length)]} ${random(40)}`
  for (let nth = 0; nth < 30; nth++) await act('create', { name: word() })
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      Array.from({ length: 60 }, () => {
        const target = 1 + random(30 + round * 4)
        const chosen = random(10)
        if (chosen === 0) return act('delete', {}, target)
        if (chosen < 3) return act('create', { name: word(), company: word() })
        return act('change', { name: word(), ...(chosen < 6 && { company: chosen === 3 ? null : word() }) }, target)
      }),
    )
    await assertSearchIndex(database)
    // An import indexes whatever waits.
    const ids = [...new Set(Array.from({ length: 9 }, () => 1 + random(40)))]
    await importAllCustomers(store, [ids.map((id) => ({ id, name: word() }))])
    assert.deepEqual(await database.rows('SELECT row FROM customers_grams_later'), [])
    await assertSearchIndex(database)
  }
})
