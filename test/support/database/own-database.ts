import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { buildSchema } from '../../../src/model/schema/build-schema.ts'
import { linkEvents } from '../../../src/store/sqlite/schema/event-links.ts'
import type { Plain, PlainRow } from '../inputs/naive-evaluator.ts'
import { copyReady, readyPostgres } from './ready-schema.ts'

/** A database of the test's own. */
export interface OwnDatabase {
  readonly url: string
  /** Looks past the service; `?` stands for each value. */
  rows(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** All that some tables hold, as text. */
  contents(tables: readonly string[]): Promise<string>
  /** Adds rows by their columns, whatever they refer to. */
  insert(table: string, rows: readonly PlainRow[]): Promise<void>
  /**
   * Resolves when everything that was written can be read from the feed: PostgreSQL holds it back while any
   * transaction runs that began before, be it in the database of another test.
   */
  settled(): Promise<void>
  /** Links the events anew, after some were removed past the service. */
  relinked(): Promise<void>
  remove(): void
}

/** A ready one of the kind that the run is on. `TEST_STORE=postgres` makes it PostgreSQL: see `on-postgres.ts`. */
export const ownDatabase = (): Promise<OwnDatabase> =>
  process.env.TEST_STORE === 'postgres' ? ownPostgres('ready') : Promise.resolve(ownSqlite('ready'))

/** A ready one of each kind, by the name of its store. */
export const ownDatabases: readonly (readonly [store: string, make: () => Promise<OwnDatabase>])[] = [
  ['SQLite', async () => ownSqlite('ready')],
  ['PostgreSQL', () => ownPostgres('ready')],
]

/** Nothing at all, or the tables of this release without rows. */
type Content = 'empty' | 'ready'

export function ownSqlite(content: Content = 'empty'): OwnDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
  const url = join(folder, 'dealdesk.db')
  if (content === 'ready') copyReady(url)
  return {
    url,
    async rows(sql, ...values) {
      const db = new DatabaseSync(url, { timeout: 60_000 })
      try {
        return db.prepare(sql).all(...values)
      } finally {
        db.close()
      }
    },
    async contents(tables) {
      using db = new DatabaseSync(url, { timeout: 60_000 })
      return JSON.stringify(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))
    },
    async insert(table, rows) {
      const db = new DatabaseSync(url, { enableForeignKeyConstraints: false, timeout: 60_000 })
      const columns = Object.keys(rows[0] ?? {})
      const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?').join()})`)
      db.exec('BEGIN')
      // The store numbers rows in the order of their ids.
      const inOrder = rows.toSorted((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1))
      for (const row of inOrder) insert.run(...columns.map((column) => asNumber(row[column] ?? null)))
      db.exec('COMMIT')
      db.close()
    },
    settled: async () => {},
    async relinked() {
      using db = new DatabaseSync(url, { timeout: 60_000 })
      linkEvents(db, buildSchema())
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** SQLite has no booleans. */
const asNumber = (value: Plain): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value)

/** What it needs is loaded only here: most files never ask PostgreSQL. */
export async function ownPostgres(content: Content = 'empty'): Promise<OwnDatabase> {
  const { Client, types } = (await import('pg')).default
  const { freshDatabase, keptConnection } = await import('./postgres-database.ts')
  // A bigint is a number here: none is beyond what a double holds.
  const getTypeParser = (type: number) => (type === types.builtins.INT8 ? Number : types.getTypeParser(type))
  const url = content === 'ready' ? await freshDatabase(await readyPostgres()) : await freshDatabase()
  const kept = keptConnection(url, { getTypeParser })
  return {
    url,
    rows(sql, ...values) {
      let number = 0
      const numbered = sql.replaceAll('?', () => `$${++number}`)
      return kept(async (client) => (await client.query(numbered, [...values])).rows)
    },
    contents: (tables) =>
      kept(async (client) => {
        const all: unknown[] = []
        for (const table of tables) all.push((await client.query(`SELECT * FROM ${table}`)).rows)
        return JSON.stringify(all)
      }),
    // An index leads to each of them.
    relinked: async () => {},
    settled: () =>
      kept(async (client) => {
        while ((await client.query(isWhole)).rows[0].yes !== true) await pause(5)
      }),
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      // References are checked by triggers, which a replica does not run: a session of its own is one.
      const client = new Client({ connectionString: url, options: '-c session_replication_role=replica' })
      await client.connect()
      try {
        await client.query(
          `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
          [JSON.stringify(rows)],
        )
        await client.query(`ANALYZE ${table}`)
      } finally {
        await client.end()
      }
    },
    // It goes with its server.
    remove: () => {},
  }
}

const isWhole = `SELECT (SELECT max(sequence) FROM feed) IS NOT DISTINCT FROM (
  SELECT max(sequence) FROM events WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '')) AS yes`
