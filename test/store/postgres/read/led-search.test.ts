import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { parseQuery } from '../../../../src/queries/parse/parse-query.ts'
import type { Query } from '../../../../src/queries/query.ts'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type GramStatistics, gramStatistics } from '../../../../src/store/postgres/read/gram-statistics.ts'
import { amongSelect, nearbyRows } from '../../../../src/store/postgres/read/led-search.ts'
import type { Select } from '../../../../src/store/select/select.ts'
import { fill, manyCustomers } from '../../../support/database/filled.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { collections } from '../../../support/schema.ts'

const ROWS = 12_000
/** Every other customer has the first word, every fiftieth the second, one of all the third. */
const nameOf = (id: number): string =>
  ['Common', ...(id % 50 === 0 ? ['Wombat'] : []), ...(id === 7777 ? ['Zyxgy'] : []), `No ${id}`]
    .slice(id % 2)
    .join(' ')

let database: OwnDatabase
let client: pg.Client
before(async () => {
  database = await ownPostgres('ready')
  const named = manyCustomers(1, ROWS).map((row) => ({ ...row, name: nameOf(Number(row.id)), email: null }))
  await fill(database, collections.customers, named)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(() => client.end())

const read = async ({ text }: { readonly text: string }, values: readonly unknown[]) =>
  (await client.query({ text, values: [...values], rowMode: 'array', types: { getTypeParser: () => String } })).rows

/** The statistics, once they were read. */
async function known(): Promise<GramStatistics> {
  let reading: Promise<unknown> = Promise.resolve()
  const statistics = gramStatistics((statement, values) => {
    const rows = read(statement, values)
    reading = rows
    return rows
  })
  const first = statistics('customers')
  assert.equal(first.expected(['common']), undefined)
  assert.equal(first.atMost('common'), Number.POSITIVE_INFINITY)
  await reading
  return statistics('customers')
}

function ask(raw: string): Query {
  const parsed = parseQuery(collections.customers, raw)
  assert.ok('query' in parsed, raw)
  return parsed.query
}

async function nearby(query: string, statistics: GramStatistics) {
  const asked: string[] = []
  const run = async ({ text, values }: Select) => {
    asked.push(text)
    return read({ text }, values)
  }
  const rows = await nearbyRows(collections.customers, ask(query), statistics, run)
  return { ids: rows?.map((row) => Number(row[1])), asked }
}

test('before a table is analyzed, every text may be common', async () => {
  const statistics = await known()
  assert.equal(statistics.expected(['common']), undefined)
  const { ids, asked } = await nearby('q=zyxgy&maxpagesize=5', statistics)
  assert.equal(ids, undefined)
  assert.match(asked.join(), /LIMIT 500\b/)
})

test('what is rare is not looked for along the sort, what is common is', async () => {
  await client.query('ANALYZE customers_grams')
  const statistics = await known()
  assert.ok((statistics.expected(['common']) ?? 0) > ROWS / 5)
  assert.ok(statistics.atMost('common') >= ROWS / 2.2)
  assert.ok((statistics.expected(['zyxgy']) ?? ROWS) < ROWS / 100)

  assert.deepEqual(await nearby('q=zyxgy&maxpagesize=5', statistics), { ids: undefined, asked: [] })
  const common = await nearby('q=common&maxpagesize=5', statistics)
  assert.deepEqual(common.ids, [2, 4, 6, 8, 10, 12])
  const both = await nearby('q=common+no&maxpagesize=5', statistics)
  assert.deepEqual(both.ids, common.ids)
})

test('a search finds the same, whatever is known', async () => {
  const store = await openPostgres({ url: database.url, currency: 'EUR' })
  const words = ['common', 'wombat', 'zyxgy', 'common wombat', 'wombat zyxgy', 'mon wom', 'om', '7', 'nobody', 'no 12']
  for (const sort of ['id', '-id', 'name', 'age']) {
    for (const text of words) {
      const expected = Array.from({ length: ROWS }, (_, at) => at + 1).filter((id) =>
        text.split(' ').every((word) => nameOf(id).toLowerCase().includes(word)),
      )
      const query = ask(`q=${encodeURIComponent(text)}&sort=${sort}&maxpagesize=20`)
      for (let turn = 0; turn < 2; turn++) {
        const { items, total } = await store
          .as(SERVICE)
          .page(collections.customers, [], { ...query, count: turn === 1 })
        const ids = items.map((item) => (JSON.parse(String(item)) as { readonly id: number }).id)
        assert.equal(ids.length, Math.min(20, expected.length), `${text} by ${sort}`)
        assert.ok(ids.every((id) => expected.includes(id)))
        if (sort === 'id') assert.deepEqual(ids, expected.slice(0, 20))
        if (sort === '-id') assert.deepEqual(ids, expected.toReversed().slice(0, 20))
        if (turn === 1) assert.equal(total, expected.length)
      }
    }
  }
  await store.close()
})

test('the names of customers are looked at by their keys, not in all of them at once', async () => {
  const parsed = parseQuery(collections.deals, 'q=wombat&sort=-updatedAt')
  assert.ok('query' in parsed)
  const { text, values } = amongSelect(collections.deals, parsed.query, ['a', 'b'], 'rows')
  // What the planner would rather do where there are many customers.
  const dear = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan']
  for (const each of dear) await client.query(`SET ${each} = off`)
  const plan = (await read({ text: `EXPLAIN ${text}` }, values)).flat().join('\n')
  for (const each of dear) await client.query(`RESET ${each}`)
  assert.match(plan, /SubPlan/)
  assert.doesNotMatch(plan, /hashed SubPlan/)
})
