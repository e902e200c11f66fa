import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { projectionsOf } from '../../src/model/schema/resources.ts'
import type { Collection } from '../../src/queries/collection.ts'
import { collectionNamed, collectionOf } from '../../src/queries/collections.ts'
import { openStore } from '../../src/store/open.ts'
import { sinceColumns } from '../../src/store/rows/projection.ts'
import { columnType } from '../../src/store/select/kind-columns.ts'
import { columnName } from '../../src/store/sql/column-name.ts'
import type { ColumnType } from '../../src/store/sql/dialect.ts'
import type { Kind } from '../../src/values/kinds/kind.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { resources, schema } from '../support/schema.ts'

// Migrations are SQL by hand: what they make is compared with what is declared.

interface Column {
  readonly type: string
  readonly isNullable: boolean
}
type Columns = { readonly [name: string]: Column }

interface Engine {
  readonly name: string
  readonly database: OwnDatabase
  readonly types: { readonly [T in ColumnType]: string }
  /** What only this engine keeps beside a thing. */
  readonly beside: Columns
  readonly columnsOf: (database: OwnDatabase, table: string) => Promise<Columns>
}

const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    database: ownSqlite(),
    types: { bigint: 'INTEGER', boolean: 'INTEGER', text: 'TEXT' },
    beside: { last_event: { type: 'INTEGER', isNullable: true } },
    async columnsOf(database, table) {
      const rows = await database.rows('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', table)
      // A key that is the row's own number is never null, though it is not declared so.
      return Object.fromEntries(
        rows.map(({ name, type, notnull, pk }) => [name, { type, isNullable: notnull === 0 && pk === 0 }]),
      )
    },
  },
  {
    name: 'PostgreSQL',
    database: await ownPostgres(),
    types: { bigint: 'bigint', boolean: 'boolean', text: 'text COLLATE C' },
    beside: {},
    async columnsOf(database, table) {
      const rows = await database.rows(
        `SELECT column_name AS name, data_type || coalesce(' COLLATE ' || collation_name, '') AS type, is_nullable
         FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?`,
        table,
      )
      return Object.fromEntries(
        rows.map(({ name, type, is_nullable }) => [name, { type, isNullable: is_nullable === 'YES' }]),
      )
    },
  },
]

/** `kinds` has the fields that no filter names. */
const columnsFor = (
  collection: Collection,
  names: readonly string[],
  types: Engine['types'],
  kinds: Resource['kinds'] = {},
): Columns =>
  Object.fromEntries(
    names.map((name) => {
      const field = collection.fields.get(name) ?? { kind: kinds[name] as Kind<unknown> }
      return [columnName(name, field.kind), { type: types[columnType(field)], isNullable: field.kind.nullable }]
    }),
  )

/** Every field is a column; the document, the time of the state before and what the store derives stand beside them. */
function declaredColumns(resource: Resource, types: Engine['types']): Columns {
  return {
    ...columnsFor(collectionOf(resource), resource.names, types, resource.kinds),
    ...(resource.extensible && { own: { type: types.text, isNullable: true } }),
    doc: { type: types.text, isNullable: false },
    previous_at: { type: types.text, isNullable: true },
    folded: { type: types.text, isNullable: true },
    ...Object.fromEntries(sinceColumns(resource).map((name) => [name, { type: types.text, isNullable: true }])),
  }
}

/** Fields that are made of other columns when they are read. */
const computed: ReadonlySet<string> = new Set([
  ...['deliveries.id', 'deliveries.event', 'deliveries.deal'],
  ...['imports.isRunning', 'imports.work', 'imports.owner'],
])

for (const { name, database, types, beside, columnsOf } of engines) {
  test(`on ${name} the migrations make the columns that the resources declare`, async (t) => {
    t.after(() => database.remove())
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    t.after(() => store.close())
    for (const resource of resources) {
      const declared = { ...declaredColumns(resource, types), ...beside }
      assert.deepEqual(await columnsOf(database, resource.plural), declared, resource.plural)
      for (const { name } of projectionsOf(resource)) {
        const rows = collectionNamed(resource.schema, name)
        assert.deepEqual(await columnsOf(database, name), columnsFor(rows, rows.columns, types), name)
      }
    }
    for (const { plural, fields } of schema.audited) {
      const columns = await columnsOf(database, plural)
      for (const [field, { kind }] of Object.entries(fields)) {
        if (computed.has(`${plural}.${field}`)) continue
        const declared = { type: types[columnType({ kind })], isNullable: kind.nullable }
        assert.deepEqual(columns[columnName(field, kind)], declared, `${plural}.${field}`)
      }
    }
  })
}
