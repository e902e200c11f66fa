import type { Select } from '../../../select/select.ts'
import { type Sql, sql } from '../../../sql/sql.ts'

/** A sort value. */
interface SortedValue {
  readonly value: string
  readonly descending: boolean
  readonly nullsFirst?: boolean | undefined
}

/** A table that an earlier search could not drop is dropped first. */
export const newTable = (name: string, columns: readonly string[]): readonly Select[] => [
  plain(`DROP TABLE IF EXISTS ${name}`),
  plain(`CREATE TABLE ${name} (${columns.join(', ')})`),
]

const plain = (text: string, ...values: number[]): Select => ({ text, values })

/**
 * A temporary table that is sorted while it is filled, by an index: no step sorts everything. Items are taken from the
 * beginning and removed, so that the next ones come first.
 */
export function sortedTable(name: string, order: readonly SortedValue[]) {
  const columns = order.flatMap((_, at) => [`none${at}`, `value${at}`])
  const values = order.flatMap(({ value }) => [`(${value}) IS NULL`, value])
  const directions = order.flatMap(({ descending, nullsFirst }, at) => [
    `none${at}${nullsFirst ? ' DESC' : ''}`,
    `value${at}${descending ? ' DESC' : ''}`,
  ])
  const local = name.replace('temp.', '')
  // One group of everything has no order.
  const by = order.length === 0 ? 'item' : directions.join(', ')
  // The limit is an expression, because SQLite would prepare a statement again each time it binds a plain one.
  const first = (column: string) => `SELECT ${column} FROM ${name} ORDER BY ${by} LIMIT ? + 0 OFFSET ?`
  return {
    create: [...newTable(name, [...columns, 'item']), plain(`CREATE INDEX ${name}_order ON ${local} (${by})`)],
    /** Adds rows, given as the text after SELECT's columns. */
    insert: (item: string, rows: Sql): Sql => sql`INSERT INTO ${name} SELECT ${[...values, item].join(', ')}${rows}`,
    /** The first items, after skipping some. */
    first: (count: number, skip = 0): Select => plain(first('item'), count, skip),
    /** The same as a subselect: `row_id`, and its `place` in the order, which a join need not keep. */
    firstIds: (count: number): Sql => ({
      text: `SELECT item AS row_id, row_number() OVER (ORDER BY ${by}) AS place FROM (${first('*')})`,
      slots: [() => count, () => 0],
    }),
    remove: (count: number): Select => plain(`DELETE FROM ${name} WHERE rowid IN (${first('rowid')})`, count, 0),
  }
}
