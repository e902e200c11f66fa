import type { DatabaseSync } from 'node:sqlite'
import type { KeptTotal, Resource } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { columnOfField, kindIn } from '../../rows/things.ts'
import { ITEMS, totalTable } from '../../sql/totals.ts'
import { halfColumns, halvesOf } from '../read/exact-numbers.ts'

export const areTotalsKept = (db: DatabaseSync): boolean => unkept(db).length === 0

/**
 * Makes the tables of the totals that the resources declare, in the transaction of the migrations. Triggers keep them,
 * so that they are right whoever writes. decisions/0044
 */
export function keepTotals(db: DatabaseSync): void {
  for (const resource of unkept(db)) {
    const { plural, totals = [] } = resource
    const old = db
      .prepare(`SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger') AND name GLOB ?`)
      .all(`${totalTable(plural, '')}*`)
    for (const { type, name } of old) if (type === 'trigger') db.exec(`DROP TRIGGER ${name}`)
    for (const { type, name } of old) if (type === 'table') db.exec(`DROP TABLE ${name}`)
    for (const [nth, total] of totals.entries()) db.exec(tableSql(resource, total, nth))
    for (const { sql } of totalTriggers(resource)) db.exec(sql)
  }
}

function unkept(db: DatabaseSync): readonly Resource[] {
  const made = db.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger'`).all()
  const known = new Set(made.map(({ sql }) => sql))
  return resources.filter((resource) => !totalTriggers(resource).every(({ sql }) => known.has(sql)))
}

/** Changes of this make every total anew. */
const VERSION = '/* version 1 */'

function totalTriggers(resource: Resource): readonly { readonly sql: string }[] {
  const { plural: table, totals = [] } = resource
  return totals.flatMap((total, nth) => {
    const name = totalTable(table, nth)
    const read = [...columnsRead(resource, total)]
    const differs = read.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
    const trigger = (what: string, when: string, act: string) => ({
      sql: `CREATE TRIGGER ${name}_${what} AFTER ${when} BEGIN ${VERSION} ${act} END`,
    })
    const [added, removed] = [counted(resource, total, name, 'new', 1), counted(resource, total, name, 'old', -1)]
    return [
      trigger('inserted', `INSERT ON ${table}`, added),
      trigger('updated', `UPDATE OF ${read.join(', ')} ON ${table} WHEN ${differs}`, `${removed} ${added}`),
      trigger('deleted', `DELETE ON ${table}`, removed),
    ]
  })
}

/** Adds a row to its cell of a total, or takes it away. */
function counted(resource: Resource, total: KeptTotal, name: string, row: 'new' | 'old', times: 1 | -1): string {
  const keys = total.by.map((field) => columnOfField(resource, field))
  const sums = sumsOf(resource, total, row)
  const names = [...keys, ITEMS, ...sums.map(([column]) => column)]
  const values = [...keys.map((key) => `${row}.${key}`), times, ...sums.map(([, value]) => `${times} * ${value}`)]
  const adds = names.slice(keys.length).map((column) => `${column} = ${column} + excluded.${column}`)
  return `INSERT INTO ${name} (${names.join(', ')}) SELECT ${values.join(', ')} WHERE ${isCounted(resource, total, row)} ON CONFLICT DO UPDATE SET ${adds.join(', ')};`
}

function tableSql(resource: Resource, total: KeptTotal, nth: number): string {
  const { plural: table, kinds } = resource
  const name = totalTable(table, nth)
  const keys = total.by.map((field) => columnOfField(resource, field))
  const types = total.by.map((field) =>
    /^(boolean|integer|amount)$/.test(kindIn(kinds, field).name) ? 'INTEGER' : 'TEXT',
  )
  const sums = sumsOf(resource, total, table)
  return `CREATE TABLE ${name} (
    ${keys.map((key, at) => `${key} ${types[at]} NOT NULL`).join(', ')}, ${ITEMS} INTEGER NOT NULL,
    ${sums.map(([column]) => `${column} INTEGER NOT NULL, `).join('')}PRIMARY KEY (${keys.join(', ')})
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ${name} SELECT ${keys.join(', ')}, count(*)${sums.map(([, value]) => `, sum(${value})`).join('')}
    FROM ${table} WHERE ${isCounted(resource, total, table)} GROUP BY ${keys.join(', ')};`
}

const sumsOf = (resource: Resource, { sum }: KeptTotal, row: string): readonly (readonly [string, string])[] => {
  if (sum === undefined) return []
  const column = columnOfField(resource, sum)
  const values = halvesOf(`${row}.${column}`)
  return halfColumns(column).map((half, at) => [half, values[at] ?? ''])
}

/** Deleted things are left out, and those without a value in one of the fields. */
function isCounted(resource: Resource, { by }: KeptTotal, row: string): string {
  const present = by.filter((field) => kindIn(resource.kinds, field).nullable)
  return [
    'true',
    ...(resource.keepsDeleted ? [`${row}.deleted_at IS NULL`] : []),
    ...present.map((field) => `${row}.${columnOfField(resource, field)} IS NOT NULL`),
  ].join(' AND ')
}

function columnsRead(resource: Resource, { by, sum }: KeptTotal): ReadonlySet<string> {
  const fields = [...by, ...(sum === undefined ? [] : [sum]), ...(resource.keepsDeleted ? ['deletedAt'] : [])]
  return new Set(fields.map((field) => columnOfField(resource, field)))
}
