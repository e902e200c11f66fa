import { SERVICE } from '../../../../src/store/port/desk.ts'
import '../../../support/database/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { parseQuery } from '../../../../src/queries/parse/parse-query.ts'
import type { Query } from '../../../../src/queries/query.ts'
import { StoreUnavailable } from '../../../../src/store/port/store.ts'
import { SHORT_TRY } from '../../../../src/store/postgres/connect/searches.ts'
import { collections } from '../../../support/schema.ts'
import { DEALS, openDeal } from '../../../support/service/making-deals.ts'
import { runService, type TestService } from '../../../support/service/running-service.ts'

/** So many that to look at all of them takes far more than a search may use. */
const LONG = 200
/** What PostgreSQL takes a long time for: many states, none of which it meets again. */
const COSTLY = `description.regex=${encodeURIComponent('[b-e][b-h ]{200}[b-e][b-h ]{200}[xyz]')}`

let service: TestService
let ids: readonly string[]
before(async () => {
  service = await runService()
  const made: string[] = []
  while (made.length < LONG) {
    // What is asked for at once is written by one statement, which must not take long.
    const some = Array.from({ length: 10 }, (_, nth) => {
      const n = made.length + nth
      return openDeal(service, { name: `Long ${n}`, description: longText(n) })
    })
    made.push(...(await Promise.all(some)).map(({ id }) => id))
  }
  ids = made
})
after(() => service.close())

function longText(n: number): string {
  let text = ''
  for (let at = 0, seed = n + 1; at < 10_000; at++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    text += 'bcdefgh '[(seed >> 16) & 7]
  }
  return text
}

test('a statement that looks at text for two seconds is refused as too costly', async () => {
  const { status, body } = await service.request('GET', `${DEALS}?${COSTLY}`)
  assert.equal(status, 400, JSON.stringify(body))
  assert.equal(body.code, 'query-too-costly')
})

test('ten costly patterns of a tree have the same budget together', async () => {
  const pattern = decodeURIComponent(COSTLY.slice(COSTLY.indexOf('=') + 1))
  const each = Array.from({ length: 10 }, (_, n) => `description.match."${pattern}${n}"`)
  const { status, body } = await service.request('GET', `${DEALS}?fields=id&or=(${encodeURIComponent(each.join())})`)
  assert.equal(status, 400, JSON.stringify(body))
  assert.equal(body.code, 'query-too-costly')
})

test('a pattern that cannot be run is told with the parameter that has it', async () => {
  for (const [name, value] of [
    ['name.regex', '\\pX'],
    ['or', '(held.is.true,name.match.\\pX)'],
    ['$filter', "held or matchesPattern(name,'\\pX')"],
  ] as const) {
    const { status, body } = await service.request('GET', `${DEALS}?${name}=${encodeURIComponent(value)}`)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error) => 'parameter' in error && error.parameter),
      [name],
    )
  }
})

test('what a search finds is found, be it asked for one deal', async () => {
  const { status, body } = await service.request(
    'GET',
    `${DEALS}?id=${ids[1]}&description.regex=h%7B2,%7D.b&count=exact`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, 1)
})

test('reads, counts and exports are answered while costly searches wait for each other', async () => {
  const leaving = new AbortController()
  let ended = 0
  const costly = Array.from({ length: 10 }, () =>
    fetch(`${service.url}${DEALS}?${COSTLY}`, { signal: leaving.signal }).then(
      () => ended++,
      () => {},
    ),
  )
  while (service.store.searches.waiting < 7) await pause(5)
  for (const id of ids.slice(0, 5)) assert.equal((await service.request('GET', `${DEALS}/${id}`)).status, 200)
  assert.equal((await service.request('GET', `${DEALS}?price.gte=1&count=exact&maxpagesize=1`)).body.total, LONG)
  assert.equal((await service.request('GET', `${DEALS}.ndjson?fields=id`)).text.split('\n').length, LONG + 1)
  assert.ok(ended < 10)
  leaving.abort()
  await Promise.all(costly)
  // Those that waited are not begun.
  while (service.store.searches.waiting > 0) await pause(5)
  assert.ok(ended < 10)
})

test('groups that take two seconds are refused as too costly, and keep no other groups waiting', async (t) => {
  const holder = new pg.Client({ connectionString: service.database.url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE')
  for (let tries = 1; ; tries++) {
    const slow = Array.from({ length: 5 }, () => service.request('GET', '/rest/v1/tasks?group=status'))
    let ended = false
    const all = Promise.all(slow).finally(() => {
      ended = true
    })
    while (!ended && service.store.searches.waiting < 2) await pause(5)
    const quick = await service.request('GET', `${DEALS}?group=stage`)
    const isBefore = !ended
    for (const { status, body } of await all) {
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(body.code, 'query-too-costly')
    }
    if (isBefore && quick.status === 200) {
      assert.deepEqual(quick.body.items, [{ stage: 'lead', count: LONG }])
      break
    }
    // A machine that stood still for the two seconds has shown nothing.
    assert.ok(tries < 6, `${quick.status}, ${isBefore ? 'before' : 'after'} the others`)
  }
})

test('a result that is made as a whole is held by the server until its client has read it or left', async (t) => {
  const server = new pg.Client({ connectionString: service.database.url })
  await server.connect()
  t.after(() => server.end())
  const { query } = parseQuery(collections.deals, 'group=id&sort=-id') as { query: Query }
  const lines = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(stream)).toString()
  const expected = ids.toSorted().toReversed()
  const read = async () => {
    const text = await lines(service.store.as(SERVICE).stream(collections.deals, [], query))
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
  }
  assert.deepEqual(await read(), expected)
  for await (const _ of service.store.as(SERVICE).stream(collections.deals, [], query)) break
  const leaving = new AbortController()
  await assert.rejects(async () => {
    leaving.abort(new Error('the client left'))
    await lines(service.store.as(SERVICE).stream(collections.deals, [], query, { signal: leaving.signal }))
  }, /the client left/)
  // Its connection serves the next one.
  assert.deepEqual(await read(), expected)
  const held = Array.from({ length: 8 }, () =>
    service.store.as(SERVICE).stream(collections.deals, [], query)[Symbol.asyncIterator](),
  )
  for (const each of held) assert.equal((await each.next()).done, false)
  await assert.rejects(read(), StoreUnavailable)
  for (const each of held) await each.return?.()
  assert.deepEqual(await read(), expected)
})

for (const [kind, unbounded] of [
  ['a page', false],
  ['a stream', true],
] as const) {
  test(`the statement of ${kind} ends at the server when its client leaves`, async (t) => {
    const server = new pg.Client({ connectionString: service.database.url })
    await server.connect()
    t.after(() => server.end())
    const searching = async (milliseconds: number) => (await server.query(SEARCHING, [milliseconds])).rowCount !== 0
    // Those of other tests end first.
    while (await searching(0)) await pause(10)
    const leaving = new AbortController()
    const parsed = parseQuery(collections.deals, COSTLY)
    assert.ok('query' in parsed)
    const search = service.store
      .as(SERVICE)
      .page(collections.deals, [], parsed.query, { signal: leaving.signal, unbounded })
    const left = assert.rejects(search, (cause) => cause === leaving.signal.reason)
    while (!(await searching(2 * SHORT_TRY))) await pause(10)
    leaving.abort(new Error('the client left'))
    await left
    while (await searching(0)) await pause(10)
    // Its connection serves the next search.
    assert.equal((await service.request('GET', `${DEALS}?id=${ids[0]}&description.regex=b`)).body.items?.length, 1)
  })
}

/** The searches that run for so many milliseconds: longer than the short try, it is no try any more. */
const SEARCHING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
  AND pid <> pg_backend_pid() AND query LIKE '%description%' AND now() - query_start > $1 * interval '1 ms'`
