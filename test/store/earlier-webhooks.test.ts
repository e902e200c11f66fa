import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrateDatabase, openStore } from '../../src/store/open.ts'
import { migrations as postgresMigrations } from '../../src/store/postgres/schema/migrations.ts'
import { migrations as sqliteMigrations } from '../../src/store/sqlite/schema/migrations.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'

// The first release had no events but those of deals.

const databases: OwnDatabase[] = []
after(() => {
  for (const database of databases) database.remove()
})

for (const [name, earlier] of [
  ['SQLite', earlierSqlite],
  ['PostgreSQL', earlierPostgres],
] as const) {
  test(`a webhook made by an earlier release without types keeps to deals, on ${name}`, async () => {
    const database = await earlier()
    databases.push(database)
    const at = '2026-11-01T08:00:00.000Z'
    const rows = [null, ['deal.held']].map((types, n) => {
      const id = `01936f2e-5d3c-7a41-8f6b-00000000000${n}`
      const members = { url: 'https://example.com/?,%22types%22:null,', types, status: 'active', revision: 1 }
      const doc = JSON.stringify({ id, ...members })
      const kept = {
        ...members,
        types: types && JSON.stringify(types),
        secret: 's',
        cursor: name === 'SQLite' ? 0 : '',
      }
      return { id, ...kept, last_number: 0, created_at: at, updated_at: at, doc }
    })
    await database.insert('webhooks', rows)
    await migrateDatabase({ databaseUrl: database.url }, () => {})
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    const types = await Promise.all(rows.map(async ({ id }) => (await store.webhooks.find(id))?.types))
    assert.deepEqual(types, [['deal.*'], ['deal.held']])
    const docs = await database.rows('SELECT doc FROM webhooks ORDER BY id')
    assert.deepEqual(
      docs.map(({ doc }) => JSON.parse(String(doc)).types),
      [['deal.*'], ['deal.held']],
    )
    await store.close()
  })
}

/** The schema before webhooks could ask for all events of a resource. */
const earlierSchema = (migrations: readonly string[]): readonly string[] =>
  migrations.slice(
    0,
    migrations.findIndex((sql) => sql.includes('["deal.*"]')),
  )

async function earlierSqlite(): Promise<OwnDatabase> {
  const database = ownSqlite()
  const schema = earlierSchema(sqliteMigrations)
  using db = new DatabaseSync(database.url)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x6465616c};`)
  for (const sql of schema) db.exec(sql)
  db.exec(`PRAGMA user_version = ${schema.length}`)
  return database
}

async function earlierPostgres(): Promise<OwnDatabase> {
  const database = await ownPostgres()
  const schema = earlierSchema(postgresMigrations)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  for (const sql of schema) await client.query(sql)
  await client.query(`CREATE TABLE dealdesk_schema (version integer NOT NULL);
    INSERT INTO dealdesk_schema VALUES (${schema.length})`)
  await client.end()
  return database
}
