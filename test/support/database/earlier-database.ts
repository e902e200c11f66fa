import { DatabaseSync } from 'node:sqlite'
import type { Migration } from '../../../src/store/migrations/migrations.ts'
import { migrations as onPostgres } from '../../../src/store/postgres/schema/migrations.ts'
import { migrations as onSqlite } from '../../../src/store/sqlite/schema/migrations.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from './own-database.ts'
import { keptConnection } from './postgres-database.ts'

/** Its tables, without rows, as the release before a migration left them. */
export type EarlierDatabase = (migration: string) => Promise<OwnDatabase>

export const earlierDatabases: readonly (readonly [store: string, make: EarlierDatabase])[] = [
  ['SQLite', earlierSqlite],
  ['PostgreSQL', earlierPostgres],
]

async function earlierSqlite(migration: string): Promise<OwnDatabase> {
  const database = ownSqlite()
  const earlier = before(migration, onSqlite)
  using db = new DatabaseSync(database.url, { defensive: false })
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x6465616c}`)
  for (const { sql } of earlier) db.exec(sql)
  db.exec(`PRAGMA user_version = ${earlier.length}`)
  return database
}

async function earlierPostgres(migration: string): Promise<OwnDatabase> {
  const database = await ownPostgres()
  const earlier = before(migration, onPostgres)
  await keptConnection(database.url)(async (client) => {
    for (const { sql } of earlier) await client.query(sql)
    await client.query(`CREATE TABLE dealdesk_schema AS SELECT ${earlier.length} AS version`)
  })
  return database
}

function before(migration: string, migrations: readonly Migration[]): readonly Migration[] {
  const at = migrations.findIndex(({ name }) => name === migration)
  if (at === -1) throw new Error(`there is no migration ${migration}`)
  return migrations.slice(0, at)
}
