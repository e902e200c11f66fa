import { DatabaseSync } from 'node:sqlite'
import { customerToJson } from '../../src/customers/customer.ts'
import { dealToJson } from '../../src/deals/deal.ts'
import type { Collection } from '../../src/queries/collection.ts'
import type { PlainRow } from '../queries/naive-evaluator.ts'

/** Puts rows into the service's file, past the service. */
export function fill(file: string, collection: Collection, rows: readonly PlainRow[]): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 5000 })
  const fields = [...collection.fields.values()].filter(({ hidden }) => !hidden).map(({ name }) => name)
  const columns = fields.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const insert = db.prepare(
    `INSERT INTO ${collection.name} (${columns}, doc) VALUES (${columns.map(() => '?').join()}, ?)`,
  )
  db.exec('BEGIN')
  for (const row of rows) {
    const json = collection.name === 'deals' ? dealToJson(row as never) : customerToJson(row as never)
    insert.run(
      ...fields.map((name) => (typeof row[name] === 'boolean' ? Number(row[name]) : (row[name] ?? null))),
      json,
    )
  }
  db.exec('COMMIT')
  db.close()
}

export function manyCustomers(from: number, count: number): PlainRow[] {
  const at = '2026-01-30T10:00:00.000Z'
  return Array.from({ length: count }, (_, n) => ({
    id: from + n,
    name: `Customer ${from + n} of many`,
    email: null,
    age: n % 90,
    children: n % 5,
    country: 'DE',
    createdAt: at,
    updatedAt: at,
    revision: 1,
  }))
}
