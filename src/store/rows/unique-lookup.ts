import type { AddedName } from '../../model/resource.ts'
import type { Resource } from '../../model/schema.ts'
import { isOwn, ownName } from '../../values/json/own.ts'
import { isNumeric } from '../../values/kinds/kind.ts'
import type { ColumnType, SqlDialect } from '../sql/dialect.ts'
import { columnOfField, kindIn } from './things.ts'

/** The table with the values of indexed added fields, in their order. decisions/0062 */
export const ownTable = ({ plural }: Pick<Resource, 'plural'>): string => `${plural}_own`

/** The added fields whose values that table has; those that are read from it are complete. */
export const indexedOwn = ({ added }: Resource): readonly AddedName[] =>
  added.filter(({ field: { added: of, kind } }) => of?.unique || of?.indexed || kind.refersTo !== undefined)

/** The ones whose index is complete, so that queries can read it. */
export const readyOwn = (resource: Resource): readonly AddedName[] =>
  indexedOwn(resource).filter(({ field: { added: of } }) => (of?.state ?? 'ready') === 'ready')

/** How the things are found that have certain values of a unique field. */
export interface UniqueLookup {
  /** The id of the thing with the value `?1`. */
  readonly one: string
  /** The values among those of a list that things have, with the ids of these. */
  many(list: string): string
  /** A value as the statements compare and return it. */
  readonly kept: (value: unknown) => unknown
}

export function uniqueLookup(dialect: SqlDialect, resource: Resource, field: string): UniqueLookup {
  const { plural: table } = resource
  if (!isOwn(field)) {
    const column = columnOfField(resource, field)
    const type = isNumeric(kindIn(resource.kinds, field)) ? 'bigint' : 'text'
    return {
      one: `SELECT id FROM ${table} WHERE ${column} = ?1`,
      many: (list) => `SELECT ${column}, id FROM ${table} WHERE ${dialect.among(column, list, type)}`,
      kept: (value) => value,
    }
  }
  const { row, key, type, kept } = dialect.ownIndex
  const found = (condition: string): string =>
    `SELECT own.value, things.id FROM ${ownTable(resource)} AS own JOIN ${table} AS things ON things.${key} = own.${row}
      WHERE own.field = '${ownName(field)}' AND ${condition}`
  return {
    one: `SELECT id FROM (${found('own.value = ?1')} LIMIT 1) AS found`,
    many: (list) => found(dialect.among('own.value', list, type as ColumnType)),
    kept,
  }
}

/** The condition that a field of some thing holds a key. */
export function referredBy(dialect: SqlDialect, from: Resource, field: string, key: string): string {
  if (!isOwn(field)) return `EXISTS (SELECT 1 FROM ${from.plural} WHERE ${columnOfField(from, field)} = ${key})`
  const isNumber = kindIn(from.kinds, field).name === 'integer'
  const value = isNumber ? dialect.ownIndex.value(key) : key
  return `EXISTS (SELECT 1 FROM ${ownTable(from)} WHERE field = '${ownName(field)}' AND value = ${value})`
}
