import type { TableStatements } from '../../work/table-statements.ts'
import { bind } from '../../work/work.ts'
import { appendEvents } from './event-rows.ts'
import { insertRecords, recordsOf } from './records.ts'

export const tableStatements: TableStatements = {
  lock: (tables) => [bind({ text: `LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE` })],
  columns: (table) =>
    bind(
      {
        text: `SELECT column_name::text FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1 AND column_name <> 'write_id'
          ORDER BY ordinal_position`,
      },
      table,
    ),
  insert: (table, columns, rows) => [bind(insertRecords(table, columns), recordsOf(columns, rows))],
  append: (rows) => [appendEvents(rows)],
  lastNumber: (table) => bind({ text: `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${table}_id_seq` }),
  continueNumbers: (table, last) => [
    bind({ text: `SELECT setval('${table}_id_seq', greatest($1::bigint, 1), $1::bigint > 0)` }, last),
  ],
}
