import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type CollectionName, fieldOf } from '../../../../src/queries/collection.ts'
import { collectionNamed } from '../../../../src/queries/collections.ts'
import { parseQuery } from '../../../../src/queries/parse/parse-query.ts'
import { type Filter, type Query, withScope } from '../../../../src/queries/query.ts'
import { compilePattern, matches } from '../../../../src/queries/regex/regex.ts'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { postgres } from '../../../../src/store/postgres/sql/dialect.ts'
import { thingColumns } from '../../../../src/store/rows/things.ts'
import { select } from '../../../../src/store/select/select.ts'
import { fill, manyCustomers } from '../../../support/database/filled.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { intentTo } from '../../../support/deals/intents.ts'
import { collections, deal, schema } from '../../../support/schema.ts'

let database: OwnDatabase
let store: Store
let client: pg.Client
before(async () => {
  database = await ownPostgres('ready')
  store = await openPostgres({ url: database.url, currency: 'EUR' })
  await fill(
    database,
    collections.customers,
    manyCustomers(1, 20_000).map((row, n) => (n % 3 === 0 ? { ...row, age: null } : row)),
  )
  for (let n = 0; n < 5; n++) await performAlone(store, intentTo('create', undefined, { name: `Deal ${n}`, price: n }))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // A handful of rows may as well be sorted; whether an index could walk them is what is asked here.
  await client.query('SET enable_bitmapscan = off')
})
after(async () => {
  await client.end()
  await store.close()
})

function ask(name: CollectionName, raw: string): Query {
  const parsed = parseQuery(collectionNamed(schema, name), raw)
  assert.ok('query' in parsed, raw)
  return parsed.query
}

async function planOf(name: CollectionName, scope: Filter, query: Query): Promise<string> {
  const { text, values } = select(collectionNamed(schema, name), withScope(scope, query), postgres)
  const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

for (const sort of ['id', '-id', 'name', '-name', 'age', '-age', 'children', '-children', 'createdAt', '-createdAt']) {
  test(`a page sorted by ${sort} costs no more than its rows, the first, the thousandth and the way back`, async () => {
    const { page: _, ...start } = ask('customers', `sort=${sort}&maxpagesize=10`)
    const { last: far } = await store.as(SERVICE).page(collections.customers, [], { ...start, size: 900 })
    assert.ok(far)
    const { last: farther } = await store
      .as(SERVICE)
      .page(collections.customers, [], { ...start, after: far, size: 15_000 })
    assert.ok(farther)
    const pages = [start, ...[far, farther].flatMap((row) => [{ after: row }, { before: row }])]
    for (const place of pages) {
      const plan = await planOf('customers', [], { ...start, ...place })
      assert.doesNotMatch(plan, /Seq Scan|Sort Key/, plan)
      for (const [, rows] of plan.matchAll(/rows=(\d+)(?:\.\d+)? loops/g)) assert.ok(Number(rows) <= 11, plan)
    }
  })
}

test('the feed is walked by its index, also up to what may be shown', async () => {
  await client.query('SET enable_seqscan = off')
  const plan = await planOf('events', [], ask('events', 'after=000100000000000000000001000000000000000'))
  assert.match(plan, /Index Scan using events_sequence_key/)
  assert.match(plan, /Index Cond: .*sequence <.*sequence >/)
  const deal: Filter = [{ field: fieldOf(collections.history, 'deal'), operator: 'eq', values: ['x'] }]
  assert.match(await planOf('history', deal, ask('history', '')), /Index Scan using events_pkey/)
  await client.query('RESET enable_seqscan')
})

test('a filter on customers that leaves few deals is answered from index to index', async () => {
  await client.query('BEGIN')
  const columns = thingColumns(deal)
  const other: Readonly<Record<string, string>> = { id: "'d' || n", customer_id: 'n % 20000 + 1' }
  await client.query(`INSERT INTO deals (${columns}, doc) SELECT ${columns.map((each) => other[each] ?? each)}, doc
    FROM generate_series(1, 20000) AS n, (SELECT * FROM deals LIMIT 1) AS one`)
  await client.query('ANALYZE deals, customers')
  try {
    const query = ask('deals', 'customer.name=Customer+7+of+many&customer.country=DE&sort=-updatedAt')
    const { text, values } = select(collections.deals, query, postgres, 'planned')
    const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Scan using customers_name/, plan)
    assert.match(plan, /Index Scan using deals_customer/, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  } finally {
    await client.query('ROLLBACK')
  }
})

test('a tree that leaves few customers is answered from the indexes of its alternatives', async () => {
  await client.query('SET enable_bitmapscan = on')
  await client.query('ANALYZE customers')
  const query = ask('customers', "$filter=(name eq 'Customer 7 of many' or id eq 9) and age ne 200&sort=email")
  const { text, values } = select(collections.customers, query, postgres, 'planned')
  const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /BitmapOr/, plan)
  assert.match(plan, /Bitmap Index Scan on customers_name/, plan)
  assert.doesNotMatch(plan, /Seq Scan/, plan)
  await client.query('SET enable_bitmapscan = off')
})

test('a pattern of RE2 finds what RE2 finds', async () => {
  const texts = ['Ωmega 1', 'straße', 'KELVIN \u212a', 'x\ny', '٣ 三', 'aaa', 'no.dot', `${'a'.repeat(300)}b`]
  for (const description of texts) {
    await performAlone(store, intentTo('create', undefined, { name: 'Pattern', price: 1, description }))
  }
  for (const pattern of [
    ...['\\p{Greek}', '\\PL', '^[\\p{^Lu}\\d]+$', '(?i)\\p{Ll}{6}', '\\p{Han}|\\p{Nd}', '(?i:\\p{Lu}K)'],
    ...[
      '(?U)a+?$',
      '^*a\\b{2}',
      'x$?',
      '(?m)^{3}y\\B*',
      '\\x00?n',
      'a{256}',
      '^a{2,299}$',
      'a{280,300}b',
      '\\Qo.\\E{1}d',
    ],
  ]) {
    const query = ask('deals', `name=Pattern&description.regex=${encodeURIComponent(pattern)}&sort=id`)
    assert.equal(await store.as(SERVICE).unsearchable(query.filter), undefined, pattern)
    const { items } = await store.as(SERVICE).page(collections.deals, [], query)
    const found = items.map((item) => JSON.parse(item).description)
    const re2 = compilePattern(pattern)
    assert.deepEqual(
      found,
      texts.filter((text) => matches(re2, text)),
      pattern,
    )
  }
})

test('a search that cannot be done now is ended, and says when to come again', async () => {
  await client.query('BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE')
  try {
    await assert.rejects(store.as(SERVICE).page(collections.customers, [], ask('customers', '')), {
      name: 'StoreUnavailable',
      retryAfter: 1,
    })
  } finally {
    await client.query('ROLLBACK')
  }
  assert.equal((await store.as(SERVICE).page(collections.customers, [], ask('customers', ''))).items.length, 50)
})
