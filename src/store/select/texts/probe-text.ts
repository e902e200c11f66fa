import { narrows } from '../../../queries/operators.ts'
import { LED_ROW } from '../../sql/dialect.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { condition, treeCondition } from '../conditions.ts'
import { ofRelated, relatedRows } from '../related-rows.ts'
import { tableOf } from '../tables.ts'
import { type Driver, ledAlone, type SelectShape, termConditions, where } from './select-text.ts'

/** The number of rows that a part of the filter leaves, counted up to the limit. */
export function probeSql(shape: SelectShape, driver: Driver, limit: number): Sql {
  return sql`SELECT count(*) FROM (${rowsLeft(shape, driver, limit, '1')}) AS probed`
}

/** The ids of those rows; null for a related row without referring rows. */
export function rowsLeftSql(shape: SelectShape, driver: Driver, limit: number): Sql {
  const { collection, dialect } = shape
  return rowsLeft(shape, driver, limit, `${tableOf(collection, dialect).name}.${dialect.rowId}`)
}

function rowsLeft(shape: SelectShape, driver: Driver, most: number, column: string): Sql {
  const { collection, leaves, dialect } = shape
  const { name } = tableOf(collection, dialect)
  const limit = String(most)
  if ('any' in driver) {
    return sql`SELECT ${column} FROM ${name} WHERE ${treeCondition(collection, driver, leaves, dialect, true)} LIMIT ${limit}`
  }
  const terms = shape.terms.filter(({ field, operator }) => field === driver && narrows(operator))
  const { through } = driver
  const alone = ledAlone(shape, driver, terms)
  if (alone !== undefined) {
    const asked = termConditions(shape, terms, () => true, undefined, driver)
    return sql`SELECT ${LED_ROW} FROM ${alone}${where(asked)} LIMIT ${limit}`
  }
  if (through === undefined) {
    return sql`SELECT ${column} FROM ${name}${where(termConditions(shape, terms, () => true))} LIMIT ${limit}`
  }
  const { collection: related, table, key, reference } = relatedRows(collection, through, dialect)
  const asked = terms.map((term) => condition(related, ofRelated(term, through), leaves.indexOf(term), dialect, true))
  // LEFT JOIN: a related row without referring rows costs a lookup, so it is counted.
  return sql`SELECT ${column} FROM (SELECT ${key} AS key FROM ${table}${where(asked)} LIMIT ${limit}) AS related LEFT JOIN ${name} ON ${reference} = related.key LIMIT ${limit}`
}
