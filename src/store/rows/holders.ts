import { valueIn } from '../../model/declaration/operation.ts'
import type { UsedBy } from '../../model/declaration/refusal.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { holdersOf, type Referrer } from '../../model/schema/resources.ts'
import { isOwn, ownName } from '../../values/json/own.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Row } from '../sql/statement.ts'
import { columnOfField, isNumbered, kindIn } from './things.ts'
import { ownTable } from './unique-lookup.ts'

/** The number of things that a refusal names. */
export const MOST_NAMED = 50

/**
 * Selects the first things that prevent the removal of one, each with the name of its resource and its document;
 * undefined if no field can name it. `key` is its id in the statement.
 */
export function holding(dialect: SqlDialect, resource: Resource, key: string): string | undefined {
  const each = holdersOf(resource).map((holder, at) => {
    const { name, plural } = holder.from
    return `SELECT * FROM (SELECT '${name}' AS held_on, CAST(id AS text) AS held_id, doc FROM ${plural}
      WHERE ${holds(dialect, holder, key)} ORDER BY ${dialect.indexedKey('id')} LIMIT ${MOST_NAMED}) AS held${at}`
  })
  return each.length === 0 ? undefined : `${each.join(' UNION ALL ')} LIMIT ${MOST_NAMED}`
}

function holds(dialect: SqlDialect, { from, field }: Referrer, key: string): string {
  if (!isOwn(field)) return `${columnOfField(from, field)} = ${key}`
  const { key: row, row: found, value } = dialect.ownIndex
  const kept = kindIn(from.kinds, field).name === 'integer' ? value(key) : key
  return `${row} IN (SELECT ${found} FROM ${ownTable(from)} WHERE field = '${ownName(field)}' AND value = ${kept})`
}

/** A thing may hold another one by several fields. */
export function readHolders(resource: Resource, rows: readonly Row[]): readonly UsedBy[] {
  const { resources } = resource.schema
  const held = rows.map(([on, id, doc]) => {
    const from = resources.find(({ name }) => name === on)
    const key = from !== undefined && isNumbered(from) ? Number(id) : String(id)
    return { on: String(on), id: key, name: nameOf(JSON.parse(String(doc))) ?? String(id) }
  })
  return [...new Map(held.map((each) => [`${each.on} ${each.id}`, each])).values()]
}

/** The name or the title of a thing. */
export function nameOf(thing: object): string | null {
  const name = valueIn(thing, 'name') ?? valueIn(thing, 'title')
  return typeof name === 'string' ? name : null
}
