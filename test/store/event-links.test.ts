import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import type { Filter, Query } from '../../src/queries/query.ts'
import { openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { areEventsLinked, linkEvents } from '../../src/store/sqlite/schema/event-links.ts'
import { prepareDatabase } from '../../src/store/sqlite/schema/migrate.ts'
import { migrations } from '../../src/store/sqlite/schema/migrations.ts'
import { assertLinked } from '../support/database/linked-events.ts'
import { type OwnDatabase, ownDatabases, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { collections, customer, deal, schema } from '../support/schema.ts'

async function opened(database: OwnDatabase) {
  const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  const perform = async (action: string, target?: string | number, params: object = {}, on: Resource = deal) => {
    const intent = { ...intentTo(action, undefined, params), resource: on.name }
    const outcome = await performAlone(store, { ...intent, ...(target !== undefined && { target }) })
    assert.ok(outcome.kind === 'applied', inspect(outcome))
    return outcome.thing
  }
  const create = async () => String((await perform('create', undefined, { name: 'Roof', price: 1 })).id)
  /** A deal of this many revisions. */
  const long = async (revisions: number) => {
    const id = await create()
    for (let nth = 1; nth < revisions; nth++) await perform('record-payment', id, { amount: 0.01 })
    return id
  }
  return { store, perform, create, long }
}

/** The scope of a history. */
const ofDeal = (id: string): Filter => {
  const field = collections.history.fields.get('deal')
  assert.ok(field)
  return [{ field, operator: 'eq', values: [id] }]
}

async function historyOf(store: Store, id: string, query: string, more: Partial<Query> = {}) {
  const parsed = parseQuery(collections.history, query)
  assert.ok('query' in parsed, inspect(parsed))
  const page = await store.as(SERVICE).page(collections.history, ofDeal(id), { ...parsed.query, ...more })
  return page.items.map((item) => Number(JSON.parse(item).revision))
}

const numbers = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => (first < last ? first + at : first - at))

for (const [name, make] of ownDatabases) {
  describe(`long histories on ${name}`, () => {
    let database: OwnDatabase
    let desk: Awaited<ReturnType<typeof opened>>
    before(async () => {
      database = await make()
      desk = await opened(database)
    })
    after(async () => {
      await desk.store.close()
      assertLinked(database)
      database.remove()
    })

    test('every page of a history is right, from any revision, in both directions and by number', async () => {
      const { store, long } = desk
      const id = await long(69)
      assert.deepEqual(await historyOf(store, id, '', { size: 100 }), numbers(1, 69))
      assert.deepEqual(await historyOf(store, id, 'sort=-revision', { size: 100 }), numbers(69, 1))
      for (const size of [1, 17]) {
        for (const at of [0, 1, 2, 15, 16, 17, 32, 33, 48, 64, 65, 69, 70]) {
          const up = await historyOf(store, id, '', { size, after: [at] })
          assert.deepEqual(up, numbers(1, 69).slice(at, at + size), `${size} after ${at}`)
          const down = await historyOf(store, id, 'sort=-revision', { size, after: [at] })
          const earlier = numbers(69, 1).filter((revision) => revision < at)
          assert.deepEqual(down, earlier.slice(0, size), `${size} down from ${at}`)
          const back = await historyOf(store, id, '', { size, before: [at] })
          assert.deepEqual(
            back.toSorted((one, other) => other - one),
            earlier.slice(0, size),
            `${size} before ${at}`,
          )
        }
        assert.deepEqual(await historyOf(store, id, 'page=3', { size }), numbers(2 * size + 1, 3 * size).slice(0, size))
      }
      assert.deepEqual(await historyOf(store, id, 'operation=create'), [1])
      assert.deepEqual(await historyOf(store, id, 'revision.gte=30&revision.lt=34&sort=-revision'), numbers(33, 30))
    })

    test('each revision is found alone', async () => {
      const { store, long } = desk
      const id = await long(40)
      for (const revision of numbers(1, 40)) {
        const event = await store.as(SERVICE).event(deal, id, revision)
        assert.equal(event?.revision, revision)
        assert.equal(JSON.parse(event?.doc ?? '{}').revision, revision)
      }
      assert.equal(await store.as(SERVICE).event(deal, id, 41), undefined)
      assert.equal(await store.as(SERVICE).event(customer, id, 3), undefined)
    })

    test('the events of a thing stay linked when it is removed, recreated, trimmed and purged', async () => {
      const { store, perform, create, long } = desk
      const added = await perform('create', undefined, { name: 'Ann' }, customer)
      for (let age = 20; age < 40; age++) await perform('change', added.id, { age }, customer)
      await perform('delete', added.id, {}, customer)
      for (const revision of numbers(1, 22)) {
        assert.equal((await store.as(SERVICE).event(customer, added.id, revision))?.revision, revision)
      }
      assertLinked(database)
      const id = await long(37)
      await database.settled()
      const boundary = new Date(Date.now() + 1).toISOString()
      while (new Date().toISOString() <= boundary) await pause(1)
      for (let nth = 0; nth < 5; nth++) await perform('add-note', id, { text: 'Called' })
      const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
      await Array.fromAsync(maintenance.trim({ events: boundary, commands: undefined }))
      assertLinked(database)
      assert.deepEqual(await historyOf(store, id, ''), [1, ...numbers(37, 42)])
      assert.deepEqual(await historyOf(store, id, 'sort=-revision', { size: 6 }), numbers(42, 37))
      assert.deepEqual(await historyOf(store, id, 'sort=-revision', { size: 2, after: [38] }), [37, 1])
      const gone = await create()
      await perform('delete', gone)
      await database.settled()
      await Array.fromAsync(maintenance.purge(new Date(Date.now() + 60_000).toISOString(), { dryRun: false }))
      assert.deepEqual(await database.rows('SELECT 1 FROM events WHERE subject = ?', gone), [])
      assert.equal(await store.as(SERVICE).event(customer, added.id, 5), undefined)
      assertLinked(database)
    })
  })
}

describe('links of events on SQLite', () => {
  test('a broken one is found, and a copy links them anew', async () => {
    const database = ownSqlite('ready')
    const { store, long } = await opened(database)
    const id = await long(20)
    await store.close()
    using db = new DatabaseSync(database.url)
    const links = () => db.prepare('SELECT sequence, previous, milestone FROM events ORDER BY sequence').all()
    const right = links()
    assert.ok(areEventsLinked(db, schema))
    for (const breaking of [
      'UPDATE events SET previous = NULL WHERE revision = 7',
      'UPDATE events SET previous = previous - 1 WHERE revision = 19',
      'UPDATE events SET milestone = 0 WHERE revision = 16; UPDATE events SET previous = NULL WHERE revision = 17',
      'UPDATE deals SET last_event = last_event - 1',
      'UPDATE deals SET last_event = NULL',
      'DELETE FROM events WHERE revision = 12',
    ]) {
      db.exec(`BEGIN; ${breaking}`)
      assert.equal(areEventsLinked(db, schema), false, breaking)
      db.exec('ROLLBACK')
    }
    db.exec('UPDATE events SET previous = NULL, milestone = 0; UPDATE deals SET last_event = NULL')
    linkEvents(db, schema)
    assert.ok(areEventsLinked(db, schema))
    assert.deepEqual(links(), right)
    assert.deepEqual(db.prepare('SELECT last_event FROM deals WHERE id = ?').get(id)?.last_event, 20)
    database.remove()
  })

  test('a database of the release before is linked as if it had always been', async () => {
    const database = ownSqlite('ready')
    const { store, perform, long } = await opened(database)
    await long(35)
    const trimmed = await long(20)
    const added = await perform('create', undefined, { name: 'Ann' }, customer)
    await perform('change', added.id, { age: 40 }, customer)
    await perform('delete', added.id, {}, customer)
    await perform('change', (await perform('create', undefined, { name: 'Bo' }, customer)).id, { age: 41 }, customer)
    const boundary = new Date(Date.now() + 1).toISOString()
    while (new Date().toISOString() <= boundary) await pause(1)
    await perform('hold', trimmed, { reason: 'audit' })
    await store.close()
    const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
    await Array.fromAsync(maintenance.trim({ events: boundary, commands: undefined }))
    const earlier = ownSqlite()
    asEarlier(earlier.url, database.url)
    const steps: string[] = []
    prepareDatabase(earlier.url, schema, (step) => steps.push(step))
    assert.equal(steps[0], `step ${migrations.length} of ${migrations.length}`)
    assertLinked(earlier)
    for (const sql of [
      // The events before those that a trim has left are gone.
      'SELECT sequence, subject, milestone, iif(milestone, NULL, previous) AS previous FROM events ORDER BY sequence',
      'SELECT sequence, subject, revision, type, at, body, doc FROM told_events ORDER BY sequence',
      'SELECT sequence, body, doc FROM feed ORDER BY sequence',
      'SELECT id, last_event FROM deals ORDER BY id',
      'SELECT id, last_event FROM customers ORDER BY id',
      `SELECT seq FROM sqlite_sequence WHERE name = 'events'`,
    ]) {
      assert.deepEqual(await earlier.rows(sql), await database.rows(sql), sql)
    }
    earlier.remove()
    database.remove()
  })
})

/** The tables of the release before, with the things and events of a database of this one. */
function asEarlier(url: string, current: string): void {
  using db = new DatabaseSync(url, { defensive: false, enableForeignKeyConstraints: false })
  for (const { sql } of migrations.slice(0, -1)) db.exec(sql)
  db.exec(`ATTACH '${current}' AS current`)
  for (const table of ['customers', 'deals', 'events', 'trimmed_feed', 'trimmed_histories', 'sqlite_sequence']) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(table)
    const names = columns.map(({ name }) => name).join(', ')
    db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} (${names}) SELECT ${names} FROM current.${table}`)
  }
  db.exec(`DETACH current; PRAGMA application_id = ${0x6465616c}; PRAGMA user_version = ${migrations.length - 1}`)
}
