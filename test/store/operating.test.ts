import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { demoContent } from '../../src/demo/content.ts'
import type { ImportProgress } from '../../src/imports/rows/import-waves.ts'
import { performWave, settled } from '../../src/imports/rows/perform-wave.ts'
import type { Key } from '../../src/model/declaration/resource.ts'
import type { GivenRow } from '../../src/model/intent/import-rows.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { backUpDatabase, examineDatabase, openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { Maintenance } from '../../src/store/port/maintenance.ts'
import { UnusableDatabase } from '../../src/store/port/opening.ts'
import { performAlone, type Store, StoreUnavailable } from '../../src/store/port/store.ts'
import { importAllCustomers, importCustomers } from '../support/database/import-customers.ts'
import { type OwnDatabase, ownDatabases, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { collections, customer, deal, schema, task } from '../support/schema.ts'
import { addWebhook } from '../support/things/audited.ts'

// What an operator asks of a store; it is the same on each.

for (const [name, make] of ownDatabases) {
  describe(`operating ${name}`, () => {
    let database: OwnDatabase
    let store: Store
    let maintenance: Maintenance
    before(async () => {
      database = await make()
      maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: false })
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    const all = async (name: string, query = '', of = { database, store }) => {
      const collection = collectionNamed(schema, name)
      const parsed = parseQuery(collection, query)
      assert.ok('query' in parsed)
      if (name === 'events') await of.database.settled()
      const { items } = await of.store.as(SERVICE).page(collection, [], { ...parsed.query, size: 1000 })
      return items.map((item) => JSON.parse(item))
    }
    const importAll = (...batches: readonly (readonly GivenRow[])[]) => importAllCustomers(store, batches)
    const create = async (params: object = {}): Promise<string> => {
      const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1, ...params }))
      assert.ok(made.kind === 'applied')
      return String(made.thing.id)
    }
    const makeCustomer = async (name: string, of = store): Promise<Key> => {
      const made = await performAlone(of, intentTo('create', undefined, { name }, { resource: 'customer' }))
      assert.ok(made.kind === 'applied', JSON.stringify(made))
      return made.thing.id
    }

    test('a creation is repeated as it was after another currency was set', async () => {
      const other = await make()
      const command = 'currency-1'
      const perform = async (currency: string, params: object) => {
        const opened = await openStore({ databaseUrl: other.url, currency }, (cause) => assert.fail(cause))
        const outcome = await performAlone(
          opened,
          intentTo('create', undefined, { name: 'a', price: 1, ...params }, { command }),
        )
        await opened.close()
        if (outcome.kind === 'refused') return outcome.refusal.code
        return [outcome.replayed, JSON.parse(outcome.thing.json).currency]
      }
      assert.deepEqual(await perform('EUR', {}), [false, 'EUR'])
      assert.deepEqual(await perform('USD', {}), [true, 'EUR'])
      assert.deepEqual(await perform('USD', { currency: 'EUR' }), [true, 'EUR'])
      assert.equal(await perform('USD', { currency: 'USD' }), 'command-id-reused')
      other.remove()
    })

    test('an empty database is filled once, with the history in its order', async () => {
      const content = demoContent(schema)
      const other = await make()
      const filling = await openMaintenance({ databaseUrl: other.url }, { mustExist: false })
      assert.equal(await filling.fill(content), 'filled')
      assert.equal(await filling.fill(content), 'not empty')
      const opened = await openStore({ databaseUrl: other.url, currency: 'EUR' }, (cause) => assert.fail(cause))
      const filled = { database: other, store: opened }
      for (const { resource, things } of content.things) {
        const query = resource.keepsDeleted ? 'deleted.in=true,false' : ''
        const before = resource.name === 'pipeline' ? 1 : 0
        assert.equal((await all(resource.plural, query, filled)).length, before + things.length)
      }
      const fields = content.things.find(({ resource }) => resource.name === 'field')?.things
      assert.equal(opened.schemas.current.fields.length, fields?.length)
      assert.equal((await all('commands', '', filled)).length, content.commands.length)
      assert.deepEqual(
        (await all('events', '', filled)).map(({ subject, data }) => [subject, data.revision]),
        content.events.slice(0, 1000).map(({ thing }) => [thing.id, thing.revision]),
      )
      assert.equal(await makeCustomer('Next', opened), 1001)
      const { findings } = await examineDatabase({ databaseUrl: other.url }, { isThorough: true })
      assert.deepEqual(
        findings.filter(({ state }) => state === 'fault'),
        [],
      )
      await opened.close()
      other.remove()
    })

    test('a look at it beside a service finds nothing wrong, and no user', async () => {
      const { findings, hasUsers } = await examineDatabase({ databaseUrl: database.url }, { isThorough: true })
      assert.deepEqual(
        findings.filter(({ state }) => state === 'fault'),
        [],
      )
      for (const about of ['database', 'schema', 'clock'])
        assert.ok(
          findings.some((each) => each.about === about),
          about,
        )
      assert.equal(hasUsers, false)
    })

    test('imported customers are added and changed; what was not given stays', async () => {
      const first = await importAll([{ id: 2000, name: 'Ana', age: 30, email: 'a@example.com' }], [{ name: 'Bo' }])
      assert.deepEqual([first?.taken, first?.kept], [2, { inserted: 2, updated: 0, unchanged: 0 }])
      const rows: readonly GivenRow[] = [
        { id: 2000, name: 'Ana', age: null },
        { id: 2001, name: 'Bo' },
        { name: 'Cy "ß😀\\' },
        { id: 1500, name: 'Di', createdAt: '2020-01-01T00:00:00.000Z' },
        { id: 2002, name: 'Cy', country: 'DE' },
        { name: 'Ed' },
      ]
      const second = await importAll(rows)
      assert.deepEqual(second?.kept, { inserted: 3, updated: 2, unchanged: 1 })
      const found = (await all('customers', 'id.in=1500,2000,2001,2002,2003')) as Record<string, unknown>[]
      assert.deepEqual(
        found.map(({ id, name, age, email, country, revision }) => [id, name, age, email, country, revision]),
        [
          [1500, 'Di', null, null, null, 1],
          [2000, 'Ana', null, 'a@example.com', null, 2],
          [2001, 'Bo', null, null, null, 1],
          [2002, 'Cy', null, null, 'DE', 2],
          [2003, 'Ed', null, null, null, 1],
        ],
      )
      assert.equal(found[0]?.createdAt, '2020-01-01T00:00:00.000Z')
      assert.equal(await makeCustomer('Flo'), 2004)
    })

    test('what an import had kept before its source broke stays, and is told', async () => {
      const told: ImportProgress[] = []
      const broken = async function* () {
        yield [{ id: 3000, name: 'Kept' }]
        throw new Error('the source broke')
      }
      await assert.rejects(async () => {
        for await (const progress of importCustomers(store, broken())) told.push(progress)
      }, /the source broke/)
      assert.equal(told.at(-1)?.kept.inserted, 1)
      assert.equal(JSON.parse((await store.as(SERVICE).find(customer, 3000))?.json ?? '{}').name, 'Kept')
    })

    test('what an import had kept before it was killed is told by somebody else, once', async () => {
      const before = (await all('events', 'type=customers.imported')).length
      const endless = async function* () {
        for (let n = 0; ; n++) {
          yield [{ id: 3100 + n, name: 'Kept' }]
          // Each is a batch of its own where no other waits.
          await pause(20)
        }
      }
      let kept = 0
      for await (const progress of importCustomers(store, endless())) {
        kept = progress.kept.inserted
        if (kept >= 2) break
      }
      // The imports of the other tests stay listed, and were told.
      const untold = () => database.rows(`SELECT id FROM imports WHERE owner = ' ' AND inserted > told_inserted`)
      const [row, ...others] = await untold()
      assert.deepEqual(others, [])
      const told = async () => (await all('events', 'type=customers.imported')).slice(before)
      const trim = () => store.imports.trim(new Date().toISOString())
      await trim()
      assert.deepEqual(await told(), [], 'it may still be running')
      await database.rows(`UPDATE imports SET claimed_until = '2000-01-01T00:00:00.000Z' WHERE id = '${row?.id}'`)
      await trim()
      await trim()
      const events = await told()
      const counts = { inserted: (await all('customers', 'id.gte=3100&id.lt=3900')).length, updated: 0, unchanged: 0 }
      assert.ok(counts.inserted >= kept)
      assert.deepEqual(
        events.map(({ subject, data }) => [subject, data.counts, data.customer]),
        [[row?.id, counts, undefined]],
      )
      assert.deepEqual(await untold(), [])
      const [listed] = await database.rows(`SELECT inserted, claimed_by FROM imports WHERE id = '${row?.id}'`)
      assert.equal(Number(listed?.inserted), counts.inserted, 'it stays listed, so that it can be undone')
      assert.equal(listed?.claimed_by, null)
    })

    test('two imports at once wait for each other', async () => {
      const chunks = (first: number) => Array.from({ length: 4 }, (_, n) => [{ id: first + n, name: 'Beside' }])
      const both = await Promise.all([4000, 4100].map((first) => importAll(...chunks(first))))
      assert.deepEqual(
        both.map((progress) => progress?.kept.inserted),
        [4, 4],
      )
    })

    test('the documents of imported customers are right in every batch', async () => {
      const chunks = Array.from({ length: 5 }, (_, chunk) => [
        { name: `Chunked ${chunk}: "Łukász" É`, email: `ł.${chunk}@example.com`, age: chunk },
        { id: 5_000_000_000 - chunk, name: `Chunked ${chunk}: plain`, createdAt: '2020-01-02T03:04:05.678Z' },
        { name: `Chunked ${chunk}: ${'王'.repeat(180)}`, company: '王'.repeat(200), children: chunk },
      ])
      assert.equal((await importAll(...chunks))?.kept.inserted, 15)
      const found = await all('customers', 'name.starts=Chunked')
      const byName = new Map(found.map((each) => [each.name, each]))
      assert.equal(found.length, 15)
      for (const row of chunks.flat()) {
        const shown = byName.get(row.name)
        const { id, updatedAt } = shown
        assert.deepEqual(shown, { ...customer.blank(id, updatedAt), ...row, revision: 1 })
        assert.equal((await store.as(SERVICE).find(customer, id))?.json, customer.toJson(shown))
      }
      assert.equal((await all('customers', 'q=chunked łukasz')).length, 5)
    })

    test('what is made of the rows of a file is in their order, by id and in the feed', async () => {
      const names = Array.from({ length: 60 }, (_, n) => `Row ${String(n).padStart(2, '0')}`)
      const rows = names.map((name, n) => ({
        // Some are looked up by a value, and some by none.
        values: { name, price: 1000, ...(n % 3 > 0 && { reference: name }) },
        key: name,
        line: n,
        row: () => '',
      }))
      const results = settled(
        await performWave(store, deal, rows, { actor: null, desk: store.as(SERVICE), dryRun: false }),
      )
      assert.deepEqual([...new Set(results)], ['inserted'])
      const made = await database.rows(`SELECT name FROM deals WHERE name LIKE 'Row %' ORDER BY id`)
      assert.deepEqual(
        made.map(({ name }) => name),
        names,
      )
      const told = await database.rows(
        `SELECT name FROM events JOIN deals ON deals.id = subject WHERE name LIKE 'Row %' ORDER BY sequence`,
      )
      assert.deepEqual(
        told.map(({ name }) => name),
        names,
      )
    })

    test('customers are created while others are imported, and no id is given twice', async () => {
      const rows = Array.from({ length: 500 }, (_, n) => ({ name: `Imported ${n}` }))
      const importing = importAll(rows, rows, rows)
      const created = await Promise.all(Array.from({ length: 50 }, () => makeCustomer('By hand')))
      assert.equal(new Set(created).size, 50)
      assert.equal((await importing)?.kept.inserted, 1500)
    })

    test('a stream that cannot go on, since too many others ask, fails for its reader alone', async () => {
      await importAll(Array.from({ length: 3000 }, (_, n) => ({ name: `Export ${n}` })))
      const whole = parseQuery(collectionNamed(schema, 'customers'), '')
      // On SQLite such a page waits in one queue with the lines: the main thread reads a few events alone.
      const events = parseQuery(collectionNamed(schema, 'events'), 'maxpagesize=50')
      assert.ok('query' in events && 'query' in whole)
      const lines = store.as(SERVICE).stream(collections.customers, [], whole.query)[Symbol.asyncIterator]()
      await lines.next()
      // By then the next lines are read, and those behind them are asked for with them.
      for (let n = 0; n < 20; n++) await store.as(SERVICE).page(collections.events, [], events.query)
      const others = Array.from({ length: 300 }, () => store.as(SERVICE).page(collections.events, [], events.query))
      await lines.next()
      await Promise.allSettled(others)
      await lines.next().catch((cause) => assert.ok(cause instanceof StoreUnavailable))
    })

    test('a purge removes what was deleted before an instant, with its events and commands', async () => {
      const [gone, later, live] = [await create(), await create(), await create()]
      await performAlone(store, intentTo('hold', gone, { reason: 'x' }, { command: `of ${gone}`.replace(' ', '-') }))
      await performAlone(store, intentTo('delete', gone))
      await pause(5)
      const before = new Date().toISOString()
      await pause(5)
      await performAlone(store, intentTo('delete', later))
      const purged = async (dryRun: boolean) =>
        (await Array.fromAsync(maintenance.purge(before, { dryRun }))).flatMap(({ ids }) => ids)
      const would = await purged(true)
      assert.ok(would.includes(gone) && !would.includes(later))
      assert.ok(await store.as(SERVICE).find(deal, gone))
      assert.deepEqual(await purged(false), would)
      assert.equal(await store.as(SERVICE).find(deal, gone), undefined)
      assert.equal(await store.as(SERVICE).event(deal, gone, 1), undefined)
      assert.equal(await store.as(SERVICE).command(`of-${gone}`), undefined)
      assert.ok((await store.as(SERVICE).find(deal, later)) && (await store.as(SERVICE).find(deal, live)))
      assert.deepEqual(await purged(false), [])
    })

    test('a purge removes with a deal the tasks about it, and leaves of them only that they were deleted', async () => {
      const [gone, live] = [await create(), await create()]
      const about = async (dealId: string): Promise<Key> => {
        const asked = intentTo(
          'create',
          undefined,
          { title: 'Call', dealId },
          { resource: 'task', command: `task-of-${dealId}` },
        )
        const made = await performAlone(store, asked)
        assert.ok(made.kind === 'applied')
        return made.thing.id
      }
      const [going, staying] = [await about(gone), await about(live)]
      await performAlone(store, intentTo('delete', gone))
      await pause(5)
      await Array.fromAsync(maintenance.purge(new Date().toISOString(), { dryRun: false }))
      assert.equal(await store.as(SERVICE).find(task, going), undefined)
      assert.equal(await store.as(SERVICE).event(task, going, 1), undefined)
      assert.equal((await store.as(SERVICE).event(task, going, 2))?.doc, JSON.stringify({ id: going }))
      assert.equal(await store.as(SERVICE).command(`task-of-${gone}`), undefined)
      assert.ok((await store.as(SERVICE).find(task, staying)) && (await store.as(SERVICE).event(task, staying, 1)))
    })

    test('a purge leaves of a deleted customer the event of its deletion, and what came after that', async () => {
      const ofCustomer = { resource: 'customer' }
      const perform = async (action: string, target: Key, params: object = {}) => {
        const done = await performAlone(store, {
          ...intentTo(action, undefined, params, { ...ofCustomer, command: `${action}-${target}` }),
          target,
        })
        assert.equal(done.kind, 'applied', JSON.stringify(done))
      }
      const remove = async (id: Key) => {
        await perform('change', id, { age: 42 })
        await perform('delete', id)
      }
      const [gone, back, later, live] = [
        await makeCustomer('Gone'),
        await makeCustomer('Back'),
        await makeCustomer('Later'),
        await makeCustomer('Live'),
      ]
      await remove(gone)
      await remove(back)
      await pause(5)
      const before = new Date().toISOString()
      await pause(5)
      await importAll([{ id: Number(back), name: 'Back again' }])
      const again = intentTo('change', undefined, { country: 'DE' }, ofCustomer)
      assert.equal((await performAlone(store, { ...again, target: back })).kind, 'applied')
      const once = intentTo('delete', undefined, {}, ofCustomer)
      assert.equal((await performAlone(store, { ...once, target: back })).kind, 'applied')
      await remove(later)
      const purged = async (dryRun: boolean) =>
        (await Array.fromAsync(maintenance.purge(before, { dryRun })))
          .filter(({ resource }) => resource === 'customer')
          .flatMap(({ ids }) => ids)
      const left = async (id: Key) => [
        (await all('events', `customer=${id}`)).map(({ type }) => type.slice('customer.'.length)),
        (await all('commands', `customer=${id}`)).map(({ action }) => action),
      ]
      const would = await purged(true)
      assert.deepEqual(would, [String(gone), String(back)])
      assert.deepEqual((await left(gone))[0], ['created', 'changed', 'deleted'])
      assert.deepEqual(await purged(false), would)
      assert.deepEqual(await left(gone), [['deleted'], []])
      assert.deepEqual(await left(back), [['deleted', 'changed', 'deleted'], []])
      assert.deepEqual(await left(later), [
        ['created', 'changed', 'deleted'],
        ['ChangeCustomer', 'DeleteCustomer'],
      ])
      assert.deepEqual((await left(live))[0], ['created'])
      assert.deepEqual(await purged(false), [])
    })

    test('listeners hear of events that are readable then, until they are gone', async () => {
      const seen: string[] = []
      let calls = 0
      const end = store.onEvents(async () => {
        calls++
        seen.push((await all('events', 'sort=-sequence'))[0].subject)
      })
      const deal = await create()
      while (!seen.includes(deal)) await pause(5)
      end()
      const before = calls
      // Whoever listens hears of the next one, and would behind the one that is gone.
      const heard = new Promise<void>((resolve) => {
        const endOther = store.onEvents(() => {
          endOther()
          resolve()
        })
      })
      await create()
      await heard
      assert.equal(calls, before)
    })

    test('a webhook with too many pending deliveries waits in the feed, and nobody asks again at once', async () => {
      const now = new Date().toISOString()
      const webhook = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
      await addWebhook(store, webhook)
      const deal = await create()
      await database.insert(
        'deliveries',
        Array.from({ length: 10_000 }, (_, n) => ({
          ...{ webhook_id: webhook, number: n + 1_000_000, sequence: '0', subject: deal, type: 'deal.held' },
          ...{ status: 'pending', attempts: 1, failures: 1, next_try_at: '2999-01-01', created_at: now },
        })),
      )
      const order = { lease: 1000, most: 10, ofEach: 10, of: {}, behind: '' }
      assert.deepEqual(await store.webhooks.claim(order, []), { deliveries: [], more: false })
      assert.equal((await store.webhooks.backlog()).pending, 10_000)
    })

    test('a deal with many pending deliveries holds back no other', async () => {
      await database.rows('DELETE FROM deliveries')
      const webhook = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
      const now = new Date().toISOString()
      await database.insert(
        'deliveries',
        Array.from({ length: 20_000 }, (_, n) => ({
          ...{ webhook_id: webhook, number: n + 2_000_000, sequence: '0', subject: 'hot', type: 'deal.held' },
          ...{ status: 'pending', attempts: 0, failures: 0, created_at: now },
          ...(n === 0 && { next_try_at: '2999-01-01' }),
        })),
      )
      const deal = await create()
      await database.settled()
      const { deliveries } = await store.webhooks.claim({ lease: 1000, most: 10, ofEach: 10, of: {}, behind: '' }, [])
      assert.ok(deliveries.some(({ event }) => JSON.parse(event ?? '{}').subject === deal))
    })

    if (name === 'PostgreSQL') {
      test('an import is done and told beside a VACUUM of the index for searches', async () => {
        const vacuum = new pg.Client(database.url)
        await vacuum.connect()
        await vacuum.query('BEGIN')
        await vacuum.query('LOCK TABLE customers_grams IN SHARE UPDATE EXCLUSIVE MODE')
        const told = async () => (await all('events', 'type=customers.imported')).length
        const before = await told()
        assert.equal((await importAll([{ name: 'Beside' }]))?.kept.inserted, 1)
        await vacuum.end()
        assert.equal(await told(), before + 1)
      })

      test('an import writes fewer rows at a time where the server ends its statements for their time', async (t) => {
        const server = new pg.Client(database.url)
        await server.connect()
        t.after(() => server.end())
        // What its own limit does to a statement that takes too long.
        for (const table of ['customers', 'deals']) {
          await server.query(`
            CREATE FUNCTION too_long_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF (SELECT count(*) FROM made) > 100 THEN RAISE 'it takes too long' USING ERRCODE = 'query_canceled'; END IF;
              RETURN NULL;
            END $$;
            CREATE TRIGGER too_long_${table} AFTER INSERT ON ${table} REFERENCING NEW TABLE AS made
              FOR EACH STATEMENT EXECUTE FUNCTION too_long_${table}()`)
        }
        const many = Array.from({ length: 700 }, (_, n) => ({ name: `Slow ${n}` }))
        assert.equal((await importAll(many))?.kept.inserted, 700)
        assert.equal((await all('customers', 'name.gte=Slow%200&name.lt=Slow%20A')).length, 700)
        const rows = many.map(({ name }, n) => ({
          values: { reference: `slow-${n}`, name, price: 1000 },
          line: n,
          row: () => '',
        }))
        const results = await performWave(store, deal, rows, { actor: null, desk: store.as(SERVICE), dryRun: false })
        assert.deepEqual([...new Set(settled(results))], ['inserted'])
        assert.equal((await all('deals', 'name.gte=Slow%200&name.lt=Slow%20A')).length, 700)
        await server.query('DROP FUNCTION too_long_customers, too_long_deals CASCADE')
      })

      test('a backup is left to the tools that there are for it', async () => {
        await assert.rejects(
          backUpDatabase({ databaseUrl: database.url }, 'copy', () => {}),
          (cause: Error) => {
            return cause instanceof UnusableDatabase && /pg_dump.*pgBackRest/.test(cause.message)
          },
        )
      })
    }
  })
}

test('a page that the disk does not give is told apart from damage', async (t) => {
  const database = ownSqlite()
  t.after(() => database.remove())
  await openMaintenance({ databaseUrl: database.url }, { mustExist: false })
  const prepare = DatabaseSync.prototype.prepare
  for (const [said, told] of [
    ['Tree 5 page 7: unable to get the page. error code=266', /cannot be read as a whole: the disk reports an error/],
    ['Tree 5 page 7: unable to get the page. error code=10', /cannot be read as a whole: the disk reports an error/],
    ['Tree 5 page 7: unable to get the page. error code=11', /is damaged .*restore it from a backup/],
    ['Tree 5 page 7 cell 266: 2nd reference to page 10', /is damaged .*restore it from a backup/],
  ] as const) {
    // No disk here fails when it is told to: this is what SQLite says of one that does.
    const failing = t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
      return prepare.call(this, sql.startsWith('PRAGMA quick_check') ? `SELECT '${said}'` : sql)
    })
    const { findings } = await examineDatabase({ databaseUrl: database.url }, { isThorough: true })
    failing.mock.restore()
    const [found] = findings.filter(({ state }) => state === 'fault')
    assert.equal(found?.about, 'database')
    assert.match(found?.text ?? '', told)
  }
})
