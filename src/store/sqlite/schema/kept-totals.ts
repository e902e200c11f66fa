import type { DatabaseSync } from 'node:sqlite'
import type { KeptTotal } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { columnOfField } from '../../rows/things.ts'
import { ITEMS, isByMonth, MONTH_STARTS, totalKind, totalTable } from '../../select/totals.ts'
import { columnName } from '../../sql/column-name.ts'
import { halfColumns, halvesOf } from '../sql/exact-numbers.ts'

export const areTotalsKept = (db: DatabaseSync, schema: Schema): boolean => unkept(db, schema).length === 0

/**
 * Creates the tables of the declared totals, in the transaction of the migrations. Triggers keep them up to date for
 * every writer. decisions/0044
 */
export function keepTotals(db: DatabaseSync, schema: Schema): void {
  for (const resource of unkept(db, schema)) {
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

function unkept(db: DatabaseSync, { resources }: Schema): readonly Resource[] {
  const made = db.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger'`).all()
  const known = new Set(made.map(({ sql }) => sql))
  return resources.filter((resource) => !totalTriggers(resource).every(({ sql }) => known.has(sql)))
}

/** A change of this rebuilds every total. */
const VERSION = '/* version 2 */'

export function totalTriggers(resource: Resource): readonly { readonly sql: string }[] {
  const { plural: table, totals = [] } = resource
  return totals.flatMap((total, nth) => {
    const name = totalTable(table, nth)
    const read = [...columnsRead(resource, total)]
    const differs = `(${read.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')})`
    const update = `UPDATE OF ${read.join(', ')} ON ${table}`
    const trigger = (what: string, when: string, row: 'new' | 'old', only: readonly string[] = []) => ({
      sql: `CREATE TRIGGER ${name}_${what} AFTER ${when} WHEN ${[...only, isCounted(resource, total, row)].join(' AND ')} BEGIN ${VERSION} ${counted(resource, total, name, row)} END`,
    })
    return [
      trigger('inserted', `INSERT ON ${table}`, 'new'),
      trigger('updated_from', update, 'old', [differs]),
      trigger('updated_to', update, 'new', [differs]),
      trigger('deleted', `DELETE ON ${table}`, 'old'),
    ]
  })
}

/** Adds a row to its cell of a total, or removes it. In two statements, because an upsert may fail midway. */
function counted(resource: Resource, total: KeptTotal, name: string, row: 'new' | 'old'): string {
  const sign = row === 'new' ? '+' : '-'
  const keys = total.by.map((field) => keyColumn(resource, field))
  const values = total.by.map((field) => keyValue(resource, field, row))
  const counts = [[ITEMS, '1'], ...sumsOf(resource, total, row)]
  const cell = [...values, ...counts.map(() => '0')]
  const sets = counts.map(([column, value]) => `${column} = ${column} ${sign} ${value}`)
  const isCell = keys.map((key, at) => `${key} = ${values[at]}`)
  return `INSERT INTO ${name} (${[...keys, ...counts.map(([column]) => column)].join(', ')}) VALUES (${cell.join(', ')}) ON CONFLICT DO NOTHING; UPDATE ${name} SET ${sets.join(', ')} WHERE ${isCell.join(' AND ')};`
}

function tableSql(resource: Resource, total: KeptTotal, nth: number): string {
  const { plural: table } = resource
  const name = totalTable(table, nth)
  const keys = total.by.map((field) => keyColumn(resource, field))
  const types = total.by.map((field) =>
    /^(boolean|integer|amount)$/.test(totalKind(resource, field).name) ? 'INTEGER' : 'TEXT',
  )
  const sums = sumsOf(resource, total, table)
  return `CREATE TABLE ${name} (
    ${keys.map((key, at) => `${key} ${types[at]} NOT NULL`).join(', ')}, ${ITEMS} INTEGER NOT NULL,
    ${sums.map(([column]) => `${column} INTEGER NOT NULL, `).join('')}PRIMARY KEY (${keys.join(', ')})
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ${name} ${countedAgain(resource, total)};`
}

/** A total, computed from the rows. */
function countedAgain(resource: Resource, total: KeptTotal): string {
  const { plural: table } = resource
  const keys = total.by.map((field) => keyValue(resource, field, table)).join(', ')
  const sums = sumsOf(resource, total, table).map(([, value]) => `, sum(${value})`)
  return `SELECT ${keys}, count(*)${sums.join('')} FROM ${table} WHERE ${isCounted(resource, total, table)} GROUP BY ${keys}`
}

/** The column of a field, in the table of the things and in that of a total. */
const keyColumn = (resource: Resource, field: string): string => columnName(field, totalKind(resource, field))

function keyValue(resource: Resource, field: string, row: string): string {
  const value = `${row}.${keyColumn(resource, field)}`
  return isByMonth(resource, field) ? monthOf(value) : value
}

/** The first instant of a month, by comparisons: a function may fail, and SQLite would copy pages to undo a creation. */
function monthOf(instant: string): string {
  const year = `CAST(${instant} AS INTEGER)`
  const whens = months.slice(1).map((month, at) => `WHEN ${instant} < ${year} || '-${month}' THEN '-${months[at]}'`)
  return `${year} || CASE ${whens.join(' ')} ELSE '-12' END || '${MONTH_STARTS}'`
}

const months = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))

/** The tables of totals that differ from what their rows give. */
export const wrongTotals = (db: DatabaseSync, { resources }: Schema): readonly string[] =>
  resources.flatMap((resource) =>
    (resource.totals ?? []).flatMap((total, nth) => {
      const name = totalTable(resource.plural, nth)
      const [kept, counted] = [`SELECT * FROM ${name} WHERE ${ITEMS} <> 0`, countedAgain(resource, total)]
      const differing = [`${kept} EXCEPT ${counted}`, `${counted} EXCEPT ${kept}`]
      return differing.some((sql) => db.prepare(`SELECT 1 FROM (${sql}) LIMIT 1`).get() !== undefined) ? [name] : []
    }),
  )

const sumsOf = (resource: Resource, { sum }: KeptTotal, row: string): readonly (readonly [string, string])[] => {
  if (sum === undefined) return []
  const column = columnOfField(resource, sum)
  const values = halvesOf(`${row}.${column}`)
  return halfColumns(column).map((half, at) => [half, values[at] ?? ''])
}

/** Deleted things are left out, and those without a value in one of the fields. */
function isCounted(resource: Resource, { by }: KeptTotal, row: string): string {
  const present = by.filter((field) => totalKind(resource, field).nullable)
  return [
    'true',
    ...(resource.keepsDeleted ? [`${row}.deleted_at IS NULL`] : []),
    ...present.map((field) => `${row}.${keyColumn(resource, field)} IS NOT NULL`),
  ].join(' AND ')
}

function columnsRead(resource: Resource, { by, sum }: KeptTotal): ReadonlySet<string> {
  const fields = [...by, ...(sum === undefined ? [] : [sum]), ...(resource.keepsDeleted ? ['deletedAt'] : [])]
  return new Set(fields.map((field) => keyColumn(resource, field)))
}
