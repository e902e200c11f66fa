import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Thing } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import type { Collection } from '../../../src/queries/collection.ts'
import { foldedTexts } from '../../../src/store/rows/things.ts'
import type { Select } from '../../../src/store/select/select.ts'
import { columnName } from '../../../src/store/sql/column-name.ts'
import { registerTextFunctions } from '../../../src/store/sqlite/read/text-functions.ts'
import { keepTotals } from '../../../src/store/sqlite/schema/kept-totals.ts'
import { migrations } from '../../../src/store/sqlite/schema/migrations.ts'
import { prepareSearch } from '../../../src/store/sqlite/schema/search-index.ts'
import { registerExactNumbers } from '../../../src/store/sqlite/sql/exact-numbers.ts'
import { resources, schema } from '../schema.ts'

/** The service's own tables in memory; selects must be right without their indexes too. */
export function openSampleTables({ indexes } = { indexes: true }): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false, defensive: false })
  registerExactNumbers(db)
  registerTextFunctions(db)
  for (const { sql } of migrations) db.exec(sql)
  prepareSearch(db, schema)
  keepTotals(db, schema)
  if (!indexes) dropIndexes(db)
  return db
}

function dropIndexes(db: DatabaseSync): void {
  const made = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all()
  for (const { name } of made) db.exec(`DROP INDEX ${name}`)
}

export type SampleRow = Readonly<Record<string, string | number | boolean | null>>

/** Keeps rows by their fields' names; the document is the row's key. */
export function insertRows(db: DatabaseSync, collection: Collection, rows: readonly SampleRow[]): void {
  const fields = [...collection.fields.values()].filter((field) => !field.hidden)
  const columns = fields.map(({ name, kind }) => columnName(name, kind))
  const insert = db.prepare(
    `INSERT INTO ${collection.name} (${columns}, doc, folded) VALUES (${columns.map(() => '?').join(', ')}, ?, ?)`,
  )
  // The store numbers rows in the order of their ids.
  const keyOf = (row: SampleRow) => row[collection.key] ?? ''
  for (const row of rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const values = fields.map(({ name }) => row[name] ?? null)
    insert.run(
      ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
      String(row[collection.key]),
      foldedTexts(resourceOf(collection), row as unknown as Thing),
    )
  }
}

export function resourceOf({ name }: Collection): Resource {
  const resource = resources.find(({ plural }) => plural === name)
  if (resource === undefined) throw new Error(`${name} are no resource`)
  return resource
}

export function rowsOf(db: DatabaseSync, { text, values }: Select): readonly (readonly unknown[])[] {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return statement.all(...(values as SQLInputValue[])) as unknown as readonly (readonly unknown[])[]
}

/** What SQLite would do, a step to a line. */
export function planOf(db: DatabaseSync, { text, values }: Select): readonly string[] {
  return db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...(values as SQLInputValue[]))
    .map((step) => String(step.detail))
}
