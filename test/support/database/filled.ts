import type { Thing } from '../../../src/model/declaration/resource.ts'
import type { Collection } from '../../../src/queries/collection.ts'
import { foldedTexts } from '../../../src/store/rows/things.ts'
import { columnName } from '../../../src/store/sql/column-name.ts'
import type { PlainRow } from '../inputs/naive-evaluator.ts'
import type { OwnDatabase } from './own-database.ts'
import { resourceOf } from './sample-tables.ts'

/** Puts rows into the service's database, past the service. */
export function fill(database: OwnDatabase, collection: Collection, rows: readonly PlainRow[]): Promise<void> {
  const fields = [...collection.fields.values()].filter(({ hidden }) => !hidden)
  const resource = resourceOf(collection)
  const empty = Object.fromEntries(fields.map(({ name }) => [name, null]))
  const columns = fields.map(({ name, kind }) => ({ name, column: columnName(name, kind) }))
  return database.insert(
    collection.name,
    rows.map((row) => ({
      ...Object.fromEntries(columns.map(({ name, column }) => [column, row[name] ?? null])),
      doc: resource.toJson({ ...empty, ...row } as never),
      folded: foldedTexts(resource, row as unknown as Thing),
    })),
  )
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
