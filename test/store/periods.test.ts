import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { fieldOf } from '../../src/queries/collection.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { withKey } from '../../src/queries/sort.ts'
import type { Migration } from '../../src/store/migrations/migrations.ts'
import { openMaintenance, openStore, openTransfer } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { migrations as onPostgres } from '../../src/store/postgres/schema/migrations.ts'
import { TOLD_EVENTS } from '../../src/store/rows/event.ts'
import { wholeState } from '../../src/store/rows/whole-state.ts'
import { migrations as onSqlite } from '../../src/store/sqlite/schema/migrations.ts'
import { copyDatabase } from '../../src/store/transactions/copy-database.ts'
import { assertPeriods } from '../support/database/kept-periods.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

const adapters = [
  ['SQLite', ownSqlite, ownPostgres],
  ['PostgreSQL', ownPostgres, ownSqlite],
] as const

for (const [name, make, makeOther] of adapters) {
  describe(`periods on ${name}`, () => {
    let database: OwnDatabase
    let store: Store
    before(async () => {
      database = await make('ready')
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    const perform = async (action: string, target?: string, params: object = {}) => {
      const outcome = await performAlone(store, intentTo(action, target, params))
      assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
      return String(outcome.thing.id)
    }
    const groups = async (name: string, search: string) => {
      const collection = collectionNamed(schema, name)
      const parsed = parseQuery(collection, search)
      assert.ok('query' in parsed, inspect(parsed))
      return (await store.as(SERVICE).page(collection, [], parsed.query)).items.map((item) => JSON.parse(item))
    }
    const create = (more: object = {}): Promise<string> =>
      perform('create', undefined, { name: 'Roof', price: 10.5, ...more })

    test('are what the history of each deal tells', async () => {
      const lost = await create({ owner: 'ana' })
      await perform('move', lost, { stage: 'proposal' })
      await perform('rename', lost, { newName: 'Hall' })
      await perform('cancel', lost, { reason: 'too dear' })
      await perform('archive', lost)
      const reopened = await create({ stage: 'contract', currency: 'CHF' })
      await perform('move', reopened, { stage: 'contract' })
      await perform('cancel', reopened, { reason: 'late' })
      await perform('reopen', reopened, { reason: 'came back' })
      await perform('complete', reopened)
      await create({ owner: 'ana', price: 2 })
      const gone = await create()
      await perform('delete', gone)
      await assertPeriods(database)
    })

    test('give groups of stages and of what was closed, of deals that are not deleted', async () => {
      assert.deepEqual(await groups('periods', 'status=open&group=stage&measure=count,count.seconds'), [
        { stage: 'lead', count: 3, 'count.seconds': 1 },
        { stage: 'proposal', count: 1, 'count.seconds': 1 },
        { stage: 'contract', count: 2, 'count.seconds': 2 },
      ])
      const present = 'deal.deletedAt.null=true&group=deal.owner,status,deal.currency&measure=count,sum.deal.price'
      assert.deepEqual(await groups('periods', `until.null=true&${present}`), [
        { 'deal.owner': 'ana', status: 'open', 'deal.currency': 'EUR', count: 1, 'sum.deal.price': 2 },
        { 'deal.owner': 'ana', status: 'cancelled', 'deal.currency': 'EUR', count: 1, 'sum.deal.price': 10.5 },
        { 'deal.owner': null, status: 'completed', 'deal.currency': 'CHF', count: 1, 'sum.deal.price': 10.5 },
      ])
      const [{ at }] = (await database.rows(`SELECT at FROM events WHERE operation = 'archive'`)) as [{ at: string }]
      const month = at.slice(0, 7)
      const closed = 'group=status,closedAt.month,closingReason&measure=count&closedAt.null=false'
      assert.deepEqual(await groups('deals', closed), [
        { status: 'completed', 'closedAt.month': month, closingReason: null, count: 1 },
        { status: 'cancelled', 'closedAt.month': month, closingReason: 'too dear', count: 1 },
      ])
      assert.deepEqual(await groups('deals', `closedAt.gt=${at}&measure=count&status=cancelled`), [{ count: 0 }])
      assert.deepEqual(await groups('deals', 'stageSince.null=false&measure=count,count.closedAt'), [
        { count: 1, 'count.closedAt': 0 },
      ])
    })

    test('are made from the history where an earlier release wrote it', async () => {
      const kept = await database.rows('SELECT * FROM periods ORDER BY id')
      await keepWhole(database)
      await makeAnew(database.url)
      assert.deepEqual(await database.rows('SELECT * FROM periods ORDER BY id'), kept)
      await create()
      await assertPeriods(database)
    })

    test('are whole where many changes of a deal are written together', async () => {
      const old = await create()
      const [opened, closed] = [['lead', 'qualified', 'proposal'], ['contract']]
      const moves = (to: string, stages: readonly string[] = []) =>
        stages.map((stage) => intentTo('move', to, { stage }))
      const together = { atomic: true, dryRun: false, linked: true }
      await store.perform({
        intents: [
          intentTo('create', undefined, { name: 'Hall', price: 3 }),
          ...moves('$0', opened),
          intentTo('cancel', '$0', { reason: 'late' }),
          ...moves(old, closed),
        ],
        ...together,
      })
      await store.perform({ intents: moves(old, opened), ...together, dryRun: true })
      // Whatever waits for a deal is written in one turn.
      await Promise.all(
        moves(old, ['proposal', 'negotiation', 'negotiation', 'lead']).map((each) => performAlone(store, each)),
      )
      await assertPeriods(database)
    })

    test('order a stage by when each deal came into it, whatever was changed since, page after page', async () => {
      const made = [await create({ name: 'Lane' }), await create({ name: 'Lane' }), await create({ name: 'Lane' })]
      const [first = '', second = '', third = ''] = made
      for (const deal of [third, first, second]) {
        await pause(2)
        await perform('move', deal, { stage: 'negotiation' })
      }
      await perform('hold', third, { reason: 'credit check' })
      const deals = collectionNamed(schema, 'deals')
      const parsed = parseQuery(deals, 'status=open&stage=negotiation&name=Lane&maxpagesize=2')
      assert.ok('query' in parsed, inspect(parsed))
      const sort = withKey(deals, [{ field: fieldOf(deals, 'stageSince'), descending: true }])
      const { items, hasMore, last } = await store.as(SERVICE).page(deals, [], { ...parsed.query, sort })
      assert.ok(last)
      const more = await store.as(SERVICE).page(deals, [], { ...parsed.query, sort, after: last })
      assert.deepEqual(
        [...items, ...more.items].map((item) => JSON.parse(item).id),
        [second, first, third],
      )
      assert.deepEqual([hasMore, more.hasMore], [true, false])
    })

    test('outlive the trimming of events and a copy, but not the purge of their deal', async () => {
      await database.settled()
      await pause(5)
      const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
      const later = new Date(Date.now() + 1000).toISOString()
      const all = async ({ rows }: OwnDatabase) =>
        (await rows('SELECT id, until FROM periods ORDER BY id')).map(({ id, until }) => [id, until])
      const kept = await all(database)
      for await (const _ of maintenance.trim({ events: later, commands: undefined }));
      const other = await makeOther()
      const [source, target] = [await openTransfer(database.url, 'out'), await openTransfer(other.url, 'in')]
      const result = await copyDatabase(source, target, () => {})
      assert.ok('copied' in result, JSON.stringify(result))
      await source.close()
      await target.close()
      assert.deepEqual(await all(other), kept)
      for await (const _ of maintenance.purge(later, { dryRun: false }));
      const [left] = await database.rows('SELECT count(*) AS n FROM periods')
      assert.equal(Number(left?.n), kept.length - 1)
      other.remove()
    })
  })
}

/** Keeps whole deals in all events, as earlier releases did. */
async function keepWhole({ rows }: OwnDatabase): Promise<void> {
  for (const { sequence, doc } of await rows(`SELECT sequence, doc FROM ${TOLD_EVENTS}`)) {
    await rows('UPDATE events SET doc = ? WHERE sequence = ?', wholeState(String(doc)), sequence as string)
  }
}

const WITH_PIPELINES = `ALTER TABLE periods ADD COLUMN pipeline TEXT NOT NULL DEFAULT 'sales'`

/** Goes back to before there were periods, and on from there. */
async function makeAnew(url: string): Promise<void> {
  if (!url.startsWith('postgres')) {
    using db = new DatabaseSync(url, { timeout: 60_000 })
    db.exec('DROP TRIGGER periods_of_purged; DROP TABLE periods')
    db.exec(`${sqlOf(onSqlite)}; DROP TRIGGER periods_from_events; ${WITH_PIPELINES}`)
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP FUNCTION periods_of_purged, periods_emptied CASCADE;
    DROP FUNCTION seconds_between; DROP TABLE periods`)
  await client.query(`${sqlOf(onPostgres)}; DROP FUNCTION periods_from_events CASCADE; ${WITH_PIPELINES}`)
  await client.end()
}

const sqlOf = (migrations: readonly Migration[]): string =>
  migrations.find(({ name }) => name === '0020-periods')?.sql ?? assert.fail('there is no such migration')
