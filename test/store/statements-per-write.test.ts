import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { alone, type IntentBatch } from '../../src/model/intent/batch.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/port/store.ts'
import { modelRows } from '../../src/store/sqlite/schema/stored-model.ts'
import { jobsBy } from '../../src/store/sqlite/write/jobs.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo, newCommandId } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

// What a write costs is decided by its statements, and on PostgreSQL by its round trips: decisions/0071.

let last = 0
const newDeal = (params: object = {}, asked: object = {}): Intent =>
  intentTo('create', undefined, { name: `Roof ${++last}`, price: 1, ...params }, asked)
const price = (deal: string): Intent => intentTo('change-price', deal, { newPrice: ++last, reason: 'discount' })
const upsert = (reference: string): Intent => ({
  ...intentTo('', undefined),
  target: { reference },
  change: { attributes: { name: `Roof ${++last}`, price: 1 }, makes: true },
})
const together = (intents: readonly Intent[], atomic: boolean): IntentBatch => ({
  ...{ intents, atomic, dryRun: false, linked: true },
})
const hundred = (): readonly Intent[] =>
  Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? newDeal() : price(`$${at - 1}`)))

interface Write {
  readonly name: string
  /** The batches that are performed at once. */
  readonly batches: (deals: readonly string[]) => readonly IntentBatch[]
  /** Statements, without those that begin and end the transaction. */
  readonly onSqlite: number
  readonly onPostgres: { readonly statements: number; readonly rounds: number }
}

const one = (intent: (deal: string) => Intent) => (deals: readonly string[]) => [alone(intent(deals[0] ?? ''))]

const writes: readonly Write[] = [
  {
    name: 'a creation',
    batches: one(() => newDeal()),
    onSqlite: 4,
    onPostgres: { statements: 6, rounds: 2 },
  },
  {
    name: 'a creation with a reference and a command id',
    batches: one(() => newDeal({ reference: `R-${++last}` }, { command: newCommandId() })),
    onSqlite: 7,
    onPostgres: { statements: 8, rounds: 2 },
  },
  { name: 'a price', batches: one(price), onSqlite: 3, onPostgres: { statements: 6, rounds: 2 } },
  {
    name: 'a refusal',
    batches: one((deal) => intentTo('unhold', deal)),
    onSqlite: 1,
    onPostgres: { statements: 5, rounds: 2 },
  },
  {
    name: 'an upsert that makes a deal',
    batches: one(() => upsert(`U-${++last}`)),
    onSqlite: 6,
    onPostgres: { statements: 9, rounds: 4 },
  },
  {
    name: 'an upsert that changes one',
    batches: one(() => upsert('U-same')),
    onSqlite: 4,
    onPostgres: { statements: 8, rounds: 4 },
  },
  {
    name: '32 prices at once',
    batches: (deals) => deals.map((deal) => alone(price(deal))),
    onSqlite: 96,
    onPostgres: { statements: 6, rounds: 2 },
  },
  {
    name: '32 prices of one deal at once',
    batches: ([deal = '', ...others]) => [deal, ...others].map(() => alone(price(deal))),
    onSqlite: 96,
    onPostgres: { statements: 6, rounds: 2 },
  },
  {
    name: 'a batch of 100',
    batches: () => [together(hundred(), false)],
    onSqlite: 301,
    onPostgres: { statements: 7, rounds: 3 },
  },
  {
    name: 'an atomic batch of 100',
    batches: () => [together(hundred(), true)],
    onSqlite: 303,
    onPostgres: { statements: 7, rounds: 3 },
  },
]

const idsIn = (outcomes: readonly object[]): readonly string[] =>
  outcomes.flatMap((each) => ('thing' in each ? [String((each.thing as { readonly id: unknown }).id)] : []))

describe('statements of a write on SQLite', () => {
  const database = ownSqlite('ready')
  const db = new DatabaseSync(database.url)
  let count = 0
  const jobs = jobsBy(
    schema,
    counting(db, () => count++),
    'EUR',
    modelRows(db),
  )
  after(() => {
    db.close()
    database.remove()
  })

  function perform(batches: readonly IntentBatch[]): void {
    db.exec('BEGIN IMMEDIATE')
    jobs.begin()
    for (const batch of batches) jobs.run({ kind: 'perform', batch })
    db.exec('COMMIT')
  }

  for (const { name, batches, onSqlite } of writes) {
    test(name, () => {
      perform(Array.from({ length: 32 }, () => alone(newDeal())))
      const deals = db.prepare('SELECT id FROM deals ORDER BY id DESC LIMIT 32').all()
      perform(batches(deals.map(({ id }) => String(id))))
      const asked = batches(deals.map(({ id }) => String(id)))
      count = 0
      perform(asked)
      assert.equal(count, onSqlite)
    })
  }
})

/** Counts each run of a statement. */
function counting(db: DatabaseSync, onRun: () => void): DatabaseSync {
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    for (const way of ['run', 'get', 'all'] as const) {
      const run = statement[way].bind(statement) as (...values: never[]) => never
      statement[way] = (...values: never[]) => {
        onRun()
        return run(...values)
      }
    }
    return statement
  }
  return db
}

describe('statements and round trips of a write on PostgreSQL', () => {
  let database: OwnDatabase
  let store: Store
  let statements: string[] = []
  let rounds = 0
  const { query } = pg.Client.prototype
  before(async () => {
    database = await ownPostgres('ready')
    store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    pg.Client.prototype.query = counted as typeof query
  })
  after(async () => {
    pg.Client.prototype.query = query
    await store.close()
    await database.remove()
  })

  /** The connections whose last statement is answered: the next one begins a round trip. */
  const answered = new WeakSet<pg.Client>()

  async function counted(this: pg.Client, config: { readonly name?: string; readonly text: string }) {
    if (!ASIDE.test(config.name ?? config.text)) {
      statements.push(config.name ?? config.text)
      if (answered.delete(this) || rounds === 0) rounds++
    }
    try {
      return await Reflect.apply(query, this, [config])
    } finally {
      answered.add(this)
    }
  }

  for (const { name, batches, onPostgres } of writes) {
    test(name, async () => {
      const made = await store.perform(
        together(
          Array.from({ length: 32 }, () => newDeal()),
          false,
        ),
      )
      const deals = idsIn(made.outcomes)
      await Promise.all(batches(deals).map((batch) => store.perform(batch)))
      const asked = batches(deals)
      statements = []
      rounds = 0
      await Promise.all(asked.map((batch) => store.perform(batch)))
      assert.deepEqual({ statements: statements.length, rounds }, onPostgres, statements.join(', '))
    })
  }
})

/** What an instance does besides: it follows the model, and tells others of events. */
const ASIDE = /^(model-version|say-events)$/
