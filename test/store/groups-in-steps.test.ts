import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { SearchTooCostly, StoreUnavailable } from '../../src/store/port/store.ts'
import { asksForGroups, type GroupQuery } from '../../src/store/select/groups/group-text.ts'
import { connect } from '../../src/store/sqlite/connect/connection.ts'
import { isDamage, readerFault } from '../../src/store/sqlite/connect/faults.ts'
import { gatherGroups } from '../../src/store/sqlite/read/gathered/gather-groups.ts'
import { groupPages } from '../../src/store/sqlite/read/gathered/group-pages.ts'
import { openSearches, type Searches } from '../../src/store/sqlite/read/searches.ts'
import { fill, manyCustomers } from '../support/database/filled.ts'
import { type OwnDatabase, ownSqlite } from '../support/database/own-database.ts'
import { collections } from '../support/schema.ts'

const MANY = 20_000
const { customers } = collections

let database: OwnDatabase
let searches: Searches
let close: () => Promise<void>
before(async () => {
  database = ownSqlite('ready')
  await fill(database, customers, manyCustomers(1, MANY))
  // The files of a database are there while one connection that writes is open, as the service has it.
  const writer = connect(database.url)
  searches = openSearches(database.url, 40)
  close = async () => {
    await searches.close()
    writer.close()
    database.remove()
  }
})
after(() => close())

function groupsBy(search: string): GroupQuery {
  const parsed = parseQuery(customers, search)
  assert.ok('query' in parsed && asksForGroups(parsed.query), search)
  return parsed.query
}

test('groups that use up the budget are refused, and those without a budget are made', async () => {
  const groups = groupPages(searches)
  const query = groupsBy('group=name&measure=count,avg.age&sort=-name&count=exact&page=200')
  await assert.rejects(groups.page(customers, query, {}), SearchTooCostly)
  const { items, total, hasMore } = await groups.page(customers, query, { unbounded: true })
  assert.equal(total, MANY)
  assert.equal(hasMore, true)
  assert.equal(items.length, 50)
})

test('a search that ended leaves none of its tables to the next', async () => {
  const groups = groupPages(searches)
  const [one] = (await groups.page(customers, groupsBy('group=children'), { unbounded: true })).items
  assert.equal(one, `{"children":0,"count":${MANY / 5}}`)
  const [other] = (await groups.page(customers, groupsBy('group=children&id.lte=10'), {})).items
  assert.equal(other, '{"children":0,"count":2}')
})

test('a stream gives every group once, in order', async () => {
  const decoder = new TextDecoder()
  const names: string[] = []
  for await (const batch of groupPages(searches).stream(customers, groupsBy('group=name&sort=-name'), {})) {
    for (const line of decoder.decode(batch).split('\n').filter(Boolean)) {
      names.push((JSON.parse(line) as { readonly name: string }).name)
    }
  }
  const expected = manyCustomers(1, MANY).map(({ name }) => String(name))
  assert.deepEqual(names, expected.toSorted().toReversed())
})

test('beyond a few groups that clients read slowly the next are refused until one is read', async () => {
  const stream = () => groupPages(searches).stream(customers, groupsBy('group=name'), {})[Symbol.asyncIterator]()
  const held = Array.from({ length: 8 }, stream)
  for (const each of held) assert.equal((await each.next()).done, false)
  await assert.rejects(stream().next(), StoreUnavailable)
  await held[0]?.return?.()
  const next = stream()
  assert.equal((await next.next()).done, false)
  for (const each of [...held, next]) await each.return?.()
})

test('a step that is interrupted is not taken for the end of the groups', async () => {
  await searches.search(
    async (search) => {
      let isInterrupted = false
      const run: typeof search.run = async (selects) => (isInterrupted ? undefined : search.run(selects))
      const groups = await gatherGroups(customers, groupsBy('group=children'), { ...search, run })
      assert.equal((await groups.page()).items.length, 5)
      isInterrupted = true
      await assert.rejects(groups.page(), /was interrupted/)
      await assert.rejects(Array.fromAsync(groups.batches()), /was interrupted/)
    },
    { unbounded: true },
  )
})

test('a table that could not be dropped ends no thread', async () => {
  await searches.search(async ({ run, temporary }) => {
    const name = temporary('groups')
    temporary('no name')
    await run([{ text: `CREATE TABLE ${name} (one)`, values: [] }])
  }, {})
  const { items } = await groupPages(searches).page(customers, groupsBy('group=children'), { unbounded: true })
  assert.equal(items.length, 5)
})

test('a thread that only reads never leaves the database in a state that is not known, unless it is damaged', () => {
  const [write, corrupt] = [(3 << 8) | 10, 11]
  assert.ok(readerFault('no temporary file', write) instanceof StoreUnavailable)
  assert.ok(isDamage(readerFault('malformed', corrupt)))
})

test('no step of a group takes all rows, or sorts all groups', async () => {
  let steps = 0
  const query = groupsBy('group=name')
  await searches.search(
    async (search) => {
      const run: typeof search.run = (selects) => {
        steps++
        return search.run(selects)
      }
      await gatherGroups(customers, query, { ...search, run })
    },
    { unbounded: true },
  )
  // A step takes 8,192 rows at most.
  assert.ok(steps > (2 * MANY) / 8192, String(steps))
})
