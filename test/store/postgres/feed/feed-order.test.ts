import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { parseQuery } from '../../../../src/queries/parse/parse-query.ts'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { insertEvent } from '../../../support/database/insert-event.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { intentTo } from '../../../support/deals/intents.ts'
import { collections } from '../../../support/schema.ts'

let database: OwnDatabase
let store: Store
before(async () => {
  database = await ownPostgres('ready')
  store = await openPostgres({ url: database.url, currency: 'EUR' })
})
/** Ended with the tests, also with those that fail. */
const open: pg.Client[] = []
after(() => Promise.all([store.close(), ...open.map((client) => client.end())]))

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  open.push(client)
  return client
}

/** What a reader sees that continues behind a sequence. */
async function eventsAfter(sequence: string | undefined): Promise<readonly { sequence: string; subject: string }[]> {
  const parsed = parseQuery(collections.events, sequence === undefined ? '' : `after=${sequence}`)
  assert.ok('query' in parsed)
  return (await store.as(SERVICE).page(collections.events, [], { ...parsed.query, size: 1000 })).items.map((item) =>
    JSON.parse(item),
  )
}

test('an event that commits late is not skipped by a reader who saw later ones', async () => {
  const slow = await connect()
  await slow.query('BEGIN')
  await insertEvent(slow, 'slow', 1)
  const quick = await performAlone(store, intentTo('create', undefined, { name: 'Quick', price: 1 }))
  assert.ok(quick.kind === 'applied')

  const early = await eventsAfter(undefined)
  assert.equal(early.length, 0, 'nothing that could still be overtaken is shown')

  await slow.query('COMMIT')
  await slow.end()
  await database.settled()
  const seen = await eventsAfter(early.at(-1)?.sequence)
  assert.deepEqual(
    seen.map(({ subject }) => subject),
    ['slow', quick.thing.id],
  )
})

test('a transaction that takes its number late but began early comes at its place', async () => {
  const [first, second] = [await connect(), await connect()]
  await database.settled()
  const before = (await eventsAfter(undefined)).at(-1)?.sequence
  await first.query('BEGIN; SELECT pg_current_xact_id()')
  await second.query('BEGIN')
  await insertEvent(second, 'second', 1)
  await second.query('COMMIT')
  const early = await eventsAfter(before)
  await insertEvent(first, 'first', 1)
  await first.query('COMMIT')
  await database.settled()
  const late = await eventsAfter(early.at(-1)?.sequence ?? before)
  assert.deepEqual(
    [...early, ...late].map(({ subject }) => subject),
    ['first', 'second'],
  )
  await Promise.all([first.end(), second.end()])
})

test('a reader that follows sees every event once and in order while writers commit late', async () => {
  await database.settled()
  const before = (await eventsAfter(undefined)).at(-1)?.sequence
  let writing = true
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    const client = await connect()
    for (let revision = 1; revision <= 15; revision++) {
      await client.query('BEGIN')
      await insertEvent(client, `writer ${writer}`, revision)
      await pause(Math.random() * 20)
      await client.query(revision % 5 === 0 ? 'ROLLBACK' : 'COMMIT')
    }
    await client.end()
  })
  const seen: { sequence: string; subject: string }[] = []
  const follow = async () => {
    const more = await eventsAfter(seen.at(-1)?.sequence ?? before)
    seen.push(...more)
    await pause(2)
  }
  const following = (async () => {
    while (writing) await follow()
    await database.settled()
    await follow()
  })()
  await Promise.all(writers)
  writing = false
  await following
  assert.equal(seen.length, 6 * 12)
  assert.equal(new Set(seen.map(({ sequence }) => sequence)).size, seen.length)
  assert.deepEqual(
    seen.map(({ sequence }) => sequence),
    seen.map(({ sequence }) => sequence).toSorted(),
  )
})

// Positions of a server that had done a billion transactions.
const far = (generation: string): string => `${generation}${'1000000000'.padStart(20, '0')}`
const loadedEvents = (generation: string): string =>
  `UPDATE events SET sequence = '${far(generation)}' || substr(sequence, 25)`

for (const [what, load, isTrimmed] of [
  ['a dump loaded into another server, whose transactions count anew,', loadedEvents('0001'), false],
  ['a copy of a database of several generations', loadedEvents('0005'), false],
  ['a dump whose whole feed was trimmed', `INSERT INTO trimmed_feed VALUES ('${far('0007')}${'1'.repeat(15)}')`, true],
] as const) {
  test(`${what} goes on behind its last event`, async () => {
    const client = await connect()
    await client.query(load)
    assert.deepEqual(await eventsAfter(undefined), [])
    await store.close()
    store = await openPostgres({ url: database.url, currency: 'EUR' })
    await database.settled()
    const loaded = await eventsAfter(undefined)
    assert.equal(loaded.length === 0, isTrimmed)
    const made = await performAlone(store, intentTo('create', undefined, { name: 'Next', price: 1 }))
    assert.ok(made.kind === 'applied')
    await database.settled()
    const next = await eventsAfter(loaded.at(-1)?.sequence)
    assert.deepEqual(
      next.map(({ subject }) => subject),
      [made.thing.id],
    )
    await client.end()
  })
}

test('a write that waits for its deal takes its place in the feed only when it is its turn', async (t) => {
  const other = await openPostgres({ url: database.url, currency: 'EUR' })
  t.after(() => other.close())
  const [gate, watcher] = [await connect(), await connect()]
  // Events are written only while the gate is open: who changes the deal stays in the middle of it.
  await gate.query(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$`)
  await gate.query('CREATE TRIGGER gate BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION pass_gate()')
  t.after(() => watcher.query('DROP TRIGGER gate ON events'))
  const made = await performAlone(store, intentTo('create', undefined, { name: 'Hot', price: 1 }))
  assert.ok(made.kind === 'applied')
  const pid = async (client: pg.Client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number
  /** Whoever waits for one of these, and whether it has a transaction id already. */
  const behind = async (pids: readonly number[]): Promise<readonly { pid: number; has_id: boolean }[]> => {
    const look = async () =>
      (
        await watcher.query(
          `SELECT pid, backend_xid IS NOT NULL AS has_id FROM pg_stat_activity
           WHERE datname = current_database() AND pg_blocking_pids(pid) && $1::int[]`,
          [pids],
        )
      ).rows
    while ((await look()).length === 0) await pause(5)
    // Looked at again: the ids of the first look may be older than its waiting.
    return look()
  }

  await gate.query('SELECT pg_advisory_lock(1)')
  const first = performAlone(store, intentTo('add-note', String(made.thing.id), { text: 'first' }))
  const changing = await behind([await pid(gate)])
  assert.deepEqual(
    changing.map(({ has_id }) => has_id),
    [true],
  )
  const second = performAlone(other, intentTo('add-note', String(made.thing.id), { text: 'second' }))
  const waiting = await behind(changing.map(({ pid }) => pid))
  await gate.query('SELECT pg_advisory_unlock(1)')
  assert.deepEqual([(await first).kind, (await second).kind], ['applied', 'applied'])
  assert.deepEqual(
    waiting.map(({ has_id }) => has_id),
    [false],
  )
})
