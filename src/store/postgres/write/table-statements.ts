import { gramTable } from '../../select/grams.ts'
import type { TableStatements } from '../../transactions/table-statements.ts'
import { bind } from '../../transactions/work.ts'
import { analyze, importedTables } from '../schema/statistics.ts'
import { appendEvents } from './event-rows.ts'
import { insertRecords, recordsOf } from './records.ts'
import { AWAIT_TURNS, anyOf } from './turn-locks.ts'

export const tableStatements: TableStatements = {
  lock: (tables) => [bind({ text: `LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE` })],
  awaitLinks: (resources) => (resources.length === 0 ? [] : [bind(AWAIT_TURNS, resources.map(anyOf).toSorted())]),
  // Imports lock the whole table and take no turns.
  awaitTurns: (table, subjects) =>
    subjects.length === 0
      ? []
      : [bind(AWAIT_TURNS, subjects), bind({ text: `LOCK TABLE ${table} IN ROW EXCLUSIVE MODE` })],
  columns: (table) =>
    bind(
      {
        text: `SELECT column_name::text FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1 AND column_name <> 'write_id'
          ORDER BY ordinal_position`,
      },
      table,
    ),
  insert: (table, columns, rows, onConflict) => [
    bind(insertRecords(table, columns, onConflict), recordsOf(columns, rows)),
  ],
  update(table, [id = '', ...columns], rows) {
    const sets = columns.map((column) => `${column} = new.${column}`).join(', ')
    const text = `UPDATE ${table} SET previous_at = ${table}.updated_at, ${sets}
      FROM json_populate_recordset(NULL::${table}, $1) AS new WHERE ${table}.${id} = new.${id}`
    return [bind({ text }, recordsOf([id, ...columns], rows))]
  },
  index: () => [],
  tidy: (resource) => [
    // A session that keeps the table locked, such as VACUUM, tidies it too.
    bind({ text: `SET LOCAL lock_timeout = '1s'` }),
    // New grams wait in a list that every search reads.
    bind({ text: `SELECT gin_clean_pending_list('${gramTable(resource.plural)}_index')` }),
    // Searches use statistics on common words, too.
    bind({ text: analyze(importedTables(resource)) }),
  ],
  analyze: (tables) => [bind({ text: analyze(tables) })],
  append: (rows) => [appendEvents(rows)],
  lastNumber: (table) => bind({ text: `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${table}_id_seq` }),
  continueNumbers: (table, last) => [
    bind(
      {
        text: `SELECT setval('${table}_id_seq', $1) FROM ${table}_id_seq
          WHERE last_value < $1 OR NOT is_called AND $1 > 0`,
      },
      last,
    ),
  ],
}
