import assert from 'node:assert/strict'
import { chmodSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { pino } from 'pino'
import { readSettings } from '../../src/config.ts'
import { startService } from '../../src/service/start-service.ts'
import { migrateDatabase, openMaintenance, openStore, vacuumDatabase } from '../../src/store/open.ts'
import { performAlone, StoreUnavailable } from '../../src/store/port/store.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { migrations as postgresMigrations, WRITES } from '../../src/store/postgres/schema/migrations.ts'
import { migrations as sqliteMigrations } from '../../src/store/sqlite/schema/migrations.ts'
import { earlierDatabases } from '../support/database/earlier-database.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { keptConnection } from '../support/database/postgres-database.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { intentTo } from '../support/deals/intents.ts'
import { freePort } from '../support/service/free-port.ts'
import { unhurried } from '../support/service/unhurried.ts'

/** More than get their grams in one step. */
const CUSTOMERS = 10_001
/** Before there was an index of grams. */
const EARLIER = 8

/** What differs between the stores. */
interface Engine {
  readonly name: string
  readonly versions: number
  /** As an earlier release left it, with customers. */
  earlier(customers?: number): Promise<OwnDatabase>
  /** Keeps the database from being migrated until what it answers is called. */
  holdUp(database: OwnDatabase): Promise<() => Promise<void>>
  readonly setVersion: (version: number) => string
}

const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    versions: sqliteMigrations.length,
    async earlier(customers = 1) {
      const database = ownSqlite()
      using db = new DatabaseSync(database.url)
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x6465616c}; PRAGMA user_version = ${EARLIER}`)
      for (const { sql } of sqliteMigrations.slice(0, EARLIER)) db.exec(sql)
      db.exec(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT ${customers}) ${customersFrom('n')}`,
      )
      return database
    },
    async holdUp({ url }) {
      const db = new DatabaseSync(url)
      db.exec('BEGIN IMMEDIATE')
      return async () => {
        db.exec('ROLLBACK')
        db.close()
      }
    },
    setVersion: (version) => `PRAGMA user_version = ${version}`,
  },
  {
    name: 'PostgreSQL',
    versions: postgresMigrations.length,
    async earlier(customers = 1) {
      const database = await ownPostgres()
      await keptConnection(database.url)(async (client) => {
        await client.query(`CREATE TABLE dealdesk_schema AS SELECT ${EARLIER} AS version`)
        for (const { sql } of postgresMigrations.slice(0, EARLIER)) await client.query(sql)
        await client.query(customersFrom(`generate_series(1, ${customers}) AS n (n)`))
      })
      return database
    },
    async holdUp({ url }) {
      const kept = keptConnection(url)
      await kept((client) => client.query(`SELECT pg_advisory_lock(${0x6465616c})`))
      return () => kept(async (client) => void (await client.query('SELECT pg_advisory_unlock_all()')))
    },
    setVersion: (version) => `UPDATE dealdesk_schema SET version = ${version}`,
  },
]

const customersFrom = (rows: string): string =>
  `INSERT INTO customers (id, name, created_at, updated_at, revision, doc)
   SELECT n, 'Müller ' || n, '', '', 1, '{}' FROM ${rows}`

for (const engine of engines) {
  test(`a migration on ${engine.name} that breaks off goes on where it stopped`, async (t) => {
    const database = await engine.earlier(CUSTOMERS)
    t.after(() => database.remove())
    const told: string[] = []
    const until = (last: RegExp) => (step: string) => {
      told.push(step)
      if (last.test(step)) throw new Error('broken off')
    }
    const migrate = (last: RegExp) => migrateDatabase({ databaseUrl: database.url }, until(last))
    await assert.rejects(migrate(new RegExp(`^step ${EARLIER + 4} `)), /broken off/)
    assert.deepEqual(
      told.splice(0),
      [1, 2, 3, 4].map((at) => `step ${EARLIER + at} of ${engine.versions}`),
    )
    await assert.rejects(migrate(/grams of 10000 rows|10001 rows are left/), /broken off/)
    assert.equal(told.splice(0)[0], `step ${EARLIER + 4} of ${engine.versions}`)
    await migrate(/nothing/)
    assert.deepEqual(
      told.filter((step) => /^step/.test(step)),
      [],
    )
    await assertSearchIndex(database)
    const [found] = await database.rows(`SELECT count(*) AS n FROM customers WHERE folded LIKE '%muller%'`)
    assert.equal(Number(found?.n), CUSTOMERS)
  })

  test(`while ${engine.name} is migrated the service lives, and is not ready`, async (t) => {
    const database = await engine.earlier()
    const letOn = await engine.holdUp(database)
    const port = String(await freePort())
    const settings = readSettings({ PORT: port, DATABASE_URL: database.url, ...unhurried })
    const starting = startService(settings, pino({ level: 'silent' }), assert.fail)
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
    }
    // It listens a moment later.
    for (;;) if (await ask('GET', '/health/live').catch(() => undefined)) break
    assert.deepEqual(await ask('GET', '/health/live'), { status: 200, retryAfter: null, text: '{"status":"ok"}' })
    const ready = await ask('GET', '/health/ready')
    assert.equal(ready.status, 503)
    assert.match(ready.text, /"detail":"migrating the database: .*"missing":"store"/)
    assert.deepEqual([(await ask('POST', '/rest/v1/deals')).status, ready.retryAfter], [503, '5'])
    await letOn()
    const service = await starting
    t.after(async () => {
      await service.close()
      database.remove()
    })
    assert.equal((await ask('GET', '/health/ready')).status, 200)
  })

  test(`an instance whose schema moved on, on ${engine.name}, is not ready and writes nothing`, async (t) => {
    const database = engine.name === 'SQLite' ? ownSqlite('ready') : await ownPostgres('ready')
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, assert.fail)
    t.after(async () => {
      await store.close()
      database.remove()
    })
    const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
    assert.ok(made.kind === 'applied')
    await store.check()
    await database.rows(engine.setVersion(engine.versions + 1))
    const change = intentTo('rename', String(made.thing.id), { newName: 'Other' })
    const maintenance = { databaseUrl: database.url }
    for (const refused of [
      () => store.check(),
      () => performAlone(store, intentTo('create', undefined, { name: 'Tower', price: 1 })),
      () => performAlone(store, change),
      () => store.perform({ intents: [change], atomic: true, dryRun: false, linked: true }),
      () => store.accounts.trim({ now: '', idleSince: '', auditBefore: '' }),
    ]) {
      await assert.rejects(refused, (cause) => {
        assert.ok(cause instanceof StoreUnavailable, String(cause))
        assert.match(cause.message, /has the schema of another release/)
        return true
      })
    }
    await assert.rejects(openMaintenance(maintenance, { mustExist: true }), /was written by a newer release/)
    const [counted] = await database.rows('SELECT count(*) AS n FROM events')
    assert.equal(Number(counted?.n), 1)
    await database.rows(engine.setVersion(engine.versions))
    await store.check()
    assert.equal((await performAlone(store, change)).kind, 'applied')
  })

  test(`a command leaves an old database on ${engine.name} as it is, and says how to migrate it`, async (t) => {
    const database = await engine.earlier()
    t.after(() => database.remove())
    await assert.rejects(
      openMaintenance({ databaseUrl: database.url }, { mustExist: true }),
      new RegExp(
        `is not up to date \\(schema ${EARLIER}, this release has \\d+\\); take a backup, then run: dealdesk migrate$`,
      ),
    )
    const [found] = await database.rows(
      engine.name === 'SQLite' ? 'PRAGMA user_version' : 'SELECT * FROM dealdesk_schema',
    )
    assert.equal(Number(Object.values(found ?? {})[0]), EARLIER)
  })
}

test('a step of the search index on PostgreSQL ends after some long texts', async (t) => {
  const database = await ownPostgres('ready')
  t.after(() => database.remove())
  // Without the triggers, which would take long for such texts.
  await database.rows('ALTER TABLE customers DISABLE TRIGGER USER')
  await database.rows(`INSERT INTO customers (id, name, company, created_at, updated_at, revision, doc)
    SELECT n, 'Long', repeat('Ä', 400000), '', '', 1, '{}' FROM generate_series(1, 4) AS n`)
  await database.rows(`COMMENT ON TABLE customers_grams IS 'made otherwise'`)
  const told: string[] = []
  await migrateDatabase({ databaseUrl: database.url }, (step) => told.push(step))
  assert.deepEqual(
    told.filter((step) => /customers: (grams|texts)/.test(step)).map((step) => step.replace(/.*customers: /, '')),
    ['texts folded up to 3', 'texts folded up to 4', 'grams of 3 rows', 'grams of 4 rows'],
  )
  const found = await database.rows(`SELECT id FROM customers_grams WHERE grams @@ 'aaa'::tsquery ORDER BY id`)
  assert.deepEqual(
    found.map(({ id }) => Number(id)),
    [1, 2, 3, 4],
  )
})

test('a database that others may read is closed to them before it is migrated', async (t) => {
  const database = await (engines[0] as Engine).earlier()
  t.after(() => database.remove())
  chmodSync(database.url, 0o644)
  const modes = new Set<number>()
  const told = () => void modes.add(statSync(database.url).mode & 0o777)
  const { notes } = await migrateDatabase({ databaseUrl: database.url }, told)
  assert.deepEqual([...modes], [0o600])
  assert.equal(notes.length, 1)
})

test('vacuum gives room back, and searches find what they found; PostgreSQL has its own', async (t) => {
  const database = ownSqlite('ready')
  t.after(() => database.remove())
  const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, assert.fail)
  const made: string[] = []
  for (const name of ['Roof', 'Tower', 'Bridge']) {
    const outcome = await performAlone(
      store,
      intentTo('create', undefined, { name, price: 1, description: 'x'.repeat(9000) }),
    )
    assert.ok(outcome.kind === 'applied')
    made.push(String(outcome.thing.id))
  }
  const steps: string[] = []
  await assert.rejects(
    vacuumDatabase({ databaseUrl: database.url }, (step) => steps.push(step)),
    /is in use; stop the service first$/,
  )
  assert.deepEqual(steps, [], 'nothing is announced that is not done')
  await store.close()
  await database.rows('DELETE FROM events')
  await database.rows('DELETE FROM deals WHERE id = ?', made[0] ?? '')
  const { before, after } = await vacuumDatabase({ databaseUrl: database.url }, () => {})
  assert.ok(after < before)
  await assertSearchIndex(database)
  await assert.rejects(
    vacuumDatabase({ databaseUrl: 'postgres://127.0.0.1/nowhere' }, () => {}),
    /autovacuum.*VACUUM FULL or pg_repack/,
  )
})

test('no write begins beside a step of a migration on PostgreSQL', async () => {
  const database = await ownPostgres('ready')
  const store = await openPostgres({ url: database.url, currency: 'EUR' })
  const create = () => performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
  const kept = keptConnection(database.url)
  await kept((client) => client.query(`SELECT pg_advisory_lock(${WRITES})`))
  await assert.rejects(create, /has the schema of another release/)
  await kept((client) => client.query('SELECT pg_advisory_unlock_all()'))
  assert.equal((await create()).kind, 'applied')
  await store.close()
})

for (const [name, earlier] of earlierDatabases) {
  test(`references of earlier imports are those of their things, made-up ones are not, on ${name}`, async (t) => {
    const database = await earlier('0039-references')
    t.after(() => database.remove())
    for (const sql of imported) await database.rows(sql)
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const rows = await database.rows(
      'SELECT id, reference, doc FROM deals UNION ALL SELECT id, reference, doc FROM tasks',
    )
    const found = new Map(rows.map(({ id, reference, doc }) => [id, [reference, JSON.parse(String(doc)).reference]]))
    for (const [id, , reference] of importedDeals) assert.deepEqual(found.get(id), [reference, reference])
    assert.deepEqual(found.get('t1'), ['T-1', 'T-1'])
  })
}

const importedDeals = [
  ['d1', 'import-deal-A-0004', 'A-0004'],
  ['d2', 'import-deal-~c3~bc~2f~22~0a~2e~f0~9f~98~80_x', 'ü/"\n.😀_x'],
  ['d3', 'import-deal-01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10-17', null],
  ['d4', 'mine', null],
  ['d5', 'import-deal-import-deal-x', 'import-deal-x'],
] as const

const imported = [
  ...importedDeals.map(
    ([id]) => `INSERT INTO deals (id, name, price_thousandths, currency, description, stage, status, held, archived,
      amercement_thousandths, paid_thousandths,
      created_at, updated_at, revision, doc)
    SELECT '${id}', ',"status":', 1, 'EUR', '', 'lead', 'open', held, archived, 0, 0, '', '', 1,
      '{"id":"${id}","name":",\\"status\\":","completionDate":null,"status":"open","revision":1}'
    FROM (SELECT 1 = 2 AS held, 1 = 2 AS archived) AS no`,
  ),
  `INSERT INTO tasks (id, title, note, status, created_at, updated_at, revision, doc)
    VALUES ('t1', 'Call', '', 'open', '', '', 1, '{"id":"t1","note":"","status":"open"}')`,
  ...[...importedDeals, ['t1', 'import-task-T-1']].map(([subject = '', command]) => {
    const resource = subject.startsWith('t') ? 'task' : 'deal'
    return `INSERT INTO commands (id, resource, subject, action, params, status, revision, decided_at)
      VALUES ('${command}', '${resource}', '${subject}', '${resource === 'task' ? 'CreateTask' : 'CreateDeal'}', '{}', 'applied', 1, '')`
  }),
  // Another operation under such an id, and a refusal.
  `INSERT INTO commands (id, resource, subject, action, params, status, revision, decided_at)
    VALUES ('import-deal-hold', 'deal', 'd4', 'HoldDeal', '{}', 'applied', 1, '')`,
]
