import type { Collection } from '../../../../queries/collection.ts'
import { type Query, withoutPlace } from '../../../../queries/query.ts'
import { columnOf } from '../../../select/columns.ts'
import { prepare } from '../../../select/select.ts'
import { tableOf } from '../../../select/tables.ts'
import { sql } from '../../../sql/sql.ts'
import { sqlite } from '../../sql/dialect.ts'
import { rowsOfIds, runWhole } from '../search-text.ts'
import type { StepSearch } from '../searches.ts'
import { eachMatch } from './each-match.ts'
import { sortedTable } from './sorted-table.ts'

/** Rows read at once. */
const BATCH = 1000

/** The matching items, as JSON texts, in an order without an index: their row ids are sorted once, in steps. */
export async function* sortedStream(
  collection: Collection,
  query: Query,
  { run, temporary }: Pick<StepSearch, 'run' | 'temporary'>,
): AsyncIterable<readonly string[]> {
  const name = temporary('sorted')
  const order = query.sort.map(({ field, ...direction }) => {
    const column = columnOf(collection, field, sqlite)
    return { value: (column.order ?? column).sql, ...direction }
  })
  const sorted = sortedTable(name, order)
  await runWhole(run, sorted.create)
  await eachMatch(collection, query, run, (rows, values) => {
    const write: Parameters<typeof prepare>[4] = (shape) => sorted.insert('found.row_id', rows.write(shape))
    return prepare(`into ${name} ${rows.name}`, collection, query, sqlite, write, values)
  })
  const { item } = tableOf(collection, sqlite)
  const items = prepare(`of ${name}`, collection, withoutPlace(query), sqlite, (shape) => {
    return sql`SELECT ${item}${rowsOfIds(shape, sorted.firstIds(BATCH))} ORDER BY found.place`
  })
  for (;;) {
    // Some of them may have been removed since they were sorted.
    const [rows = [], taken = []] = await runWhole(run, [items, sorted.first(BATCH), sorted.remove(BATCH)])
    if (rows.length > 0) yield rows.map(([json]) => String(json))
    if (taken.length < BATCH) return
  }
}
