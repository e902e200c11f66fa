import type { AddedName } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { isBuilding } from '../../model/intent/unique-values.ts'
import { isOwn, ownName } from '../../values/json/own.ts'
import { isNumeric } from '../../values/kinds/kind.ts'
import type { ColumnType, SqlDialect } from '../sql/dialect.ts'
import { columnOfField, isNumbered, kindIn } from './things.ts'

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
  /** Selects the values that meet a condition, with the ids of their things. */
  readonly values: (is: (value: string) => string) => string
  readonly type: ColumnType
  /** The same for those of a list. */
  many(list: string): string
  /** A value as the statements compare and return it. */
  readonly kept: (value: unknown) => unknown
}

export function uniqueLookup(dialect: SqlDialect, resource: Resource, field: string): UniqueLookup {
  const found = lookupOf(dialect, resource, field)
  return { ...found, many: (list) => found.values((value) => dialect.among(value, list, found.type)) }
}

function lookupOf(dialect: SqlDialect, resource: Resource, field: string): Omit<UniqueLookup, 'many'> {
  const { plural: table } = resource
  if (!isOwn(field)) {
    const column = columnOfField(resource, field)
    const type = isNumeric(kindIn(resource.kinds, field)) ? 'bigint' : 'text'
    return {
      one: `SELECT id FROM ${table} WHERE ${column} = ?1`,
      values: (is) => `SELECT ${column}, id FROM ${table} WHERE ${is(column)}`,
      type,
      kept: (value) => value,
    }
  }
  const { row, key, type, kept } = dialect.ownIndex
  const found = (is: (value: string) => string): string =>
    `SELECT own.value, things.id FROM ${ownTable(resource)} AS own JOIN ${table} AS things ON things.${key} = own.${row}
      WHERE own.field = '${ownName(field)}' AND ${is('own.value')}${unfilled(dialect, resource, field, is)}`
  return {
    one: `SELECT id FROM (${found((value) => `${value} = ?1`)} LIMIT 1) AS found`,
    values: found,
    type,
    kept,
  }
}

/** Before the first id, and the first number. */
export const UNFILLED = '0'
/** The most things that are compared: while these are looked at, no other write is decided on SQLite. */
const MOST_COMPARED = 10_000

/** While an index is filled, the next things that it does not have yet are compared too. decisions/0063 */
function unfilled(dialect: SqlDialect, resource: Resource, field: string, is: (value: string) => string): string {
  if (!isBuilding(resource, field)) return ''
  const { plural: table } = resource
  const { key, values, place } = dialect.ownIndex
  const name = ownName(field)
  const reached = `SELECT max(upto) FROM own_indexes
    WHERE on_table = '${table}' AND field = '${name}' AND build = ${resource.fields[field]?.added?.revision ?? 0}`
  const from = place(`coalesce((${reached}), '${UNFILLED}')`, isNumbered(resource))
  return `
    UNION ALL SELECT ${values.value}, rest.id
      FROM (SELECT id, own FROM ${table} WHERE ${key} > ${from} ORDER BY ${key} LIMIT ${MOST_COMPARED}) AS rest
      CROSS JOIN ${values.each('rest.own')} AS member WHERE member.key = '${name}' AND ${is(values.value)}`
}
