import { DatabaseSync } from 'node:sqlite'
import type { Collection } from '../../src/queries/collection.ts'
import type { Select } from '../../src/store/select.ts'
import { registerRegex } from '../../src/store/sqlite-regex.ts'

/** The tables that selects are written for, with the indexes that they count on. */
export function openSampleTables(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  registerRegex(db)
  db.exec(tables)
  return db
}

export function createIndexes(db: DatabaseSync): void {
  for (const field of ['name', 'age', 'children', 'created_at']) {
    db.exec(`CREATE INDEX customers_${field} ON customers (${field})`)
    db.exec(`CREATE INDEX customers_${field}_down ON customers (${field} DESC)`)
  }
  for (const field of ['name', 'price', 'completion_date', 'created_at', 'updated_at']) {
    db.exec(`CREATE INDEX deals_${field} ON deals (${field}, id)`)
    db.exec(`CREATE INDEX deals_${field}_down ON deals (${field} DESC, id)`)
  }
  db.exec('CREATE INDEX deals_customer ON deals (customer_id, id) WHERE customer_id IS NOT NULL')
  db.exec('CREATE INDEX deals_owner ON deals (owner, id) WHERE owner IS NOT NULL')
  db.exec('CREATE INDEX deals_held ON deals (id) WHERE held = 1')
  db.exec('CREATE INDEX deals_deleted ON deals (id) WHERE deleted_at IS NOT NULL')
  db.exec('CREATE INDEX events_deal ON events (deal_id, revision)')
  db.exec('CREATE INDEX commands_deal ON commands (deal_id, id)')
}

const tables = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, age INTEGER, children INTEGER,
  country TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, revision INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE deals (id TEXT PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, currency TEXT NOT NULL,
  customer_id INTEGER, owner TEXT, description TEXT NOT NULL, stage TEXT NOT NULL, completion_date TEXT,
  status TEXT NOT NULL, held INTEGER NOT NULL, hold_reason TEXT, archived INTEGER NOT NULL,
  amercement INTEGER NOT NULL, paid INTEGER NOT NULL, completed_on TEXT, accepted_by TEXT, closing_reason TEXT,
  deleted_at TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, revision INTEGER NOT NULL,
  doc TEXT NOT NULL) STRICT;
CREATE TABLE events (sequence INTEGER PRIMARY KEY, deal_id TEXT NOT NULL, revision INTEGER NOT NULL, type TEXT NOT NULL,
  operation TEXT NOT NULL, action TEXT NOT NULL, actor TEXT, form TEXT NOT NULL, command_id TEXT, at TEXT NOT NULL,
  body TEXT NOT NULL, deal TEXT NOT NULL) STRICT;
CREATE TABLE commands (id TEXT PRIMARY KEY, deal_id TEXT NOT NULL, action TEXT NOT NULL, params TEXT NOT NULL,
  status TEXT NOT NULL, refusal TEXT, revision INTEGER NOT NULL, decided_at TEXT NOT NULL) STRICT;
`

export type SampleRow = Readonly<Record<string, string | number | boolean | null>>

/** Keeps rows by their fields' names; the document is the row's key. */
export function insertRows(db: DatabaseSync, collection: Collection, rows: readonly SampleRow[]): void {
  const fields = [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name)
  const columns = fields.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const insert = db.prepare(
    `INSERT INTO ${collection.name} (${columns}, doc) VALUES (${[...columns, ''].map(() => '?').join(', ')})`,
  )
  for (const row of rows) {
    const values = fields.map((name) => row[name] ?? null)
    insert.run(
      ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
      String(row[collection.key]),
    )
  }
}

export function rowsOf(db: DatabaseSync, { text, values }: Select): readonly (readonly unknown[])[] {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
  return statement.all(...bound) as unknown as readonly (readonly unknown[])[]
}

/** What SQLite would do, a step to a line. */
export function planOf(db: DatabaseSync, { text, values }: Select): readonly string[] {
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
  return db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...bound)
    .map((step) => String(step.detail))
}
