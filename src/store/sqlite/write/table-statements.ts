import { eventColumns, eventValues } from '../../rows/event.ts'
import type { TableStatements } from '../../work/table-statements.ts'
import { bind } from '../../work/work.ts'
import { indexStatements } from '../schema/search-index.ts'

export const tableStatements: TableStatements = {
  // A writing transaction has the file to itself.
  lock: () => [],
  columns: (table) => bind({ text: 'SELECT name FROM pragma_table_info(?)' }, table),
  insert(table, columns, rows, onConflict = '') {
    const statement = {
      text: `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${onConflict}`,
    }
    return rows.map((values) => ({ statement, values }))
  },
  update(table, [id = '', ...columns], rows) {
    const sets = columns.map((column) => `${column} = ?`).join(', ')
    const statement = { text: `UPDATE OR FAIL ${table} SET previous_at = updated_at, ${sets} WHERE ${id} = ?` }
    return rows.map(([key, ...values]) => ({ statement, values: [...values, key] }))
  },
  index: (resource) => indexStatements(resource).map((text) => bind({ text })),
  tidy: () => [],
  append: (rows) => tableStatements.insert('events', eventColumns, rows.map(eventValues)),
  lastNumber: (table) => bind({ text: 'SELECT seq FROM sqlite_sequence WHERE name = ?' }, table),
  continueNumbers: (table, last) => [
    bind({ text: 'DELETE FROM sqlite_sequence WHERE name = ?' }, table),
    bind({ text: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)' }, table, last),
  ],
}
