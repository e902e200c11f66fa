import { eventColumns, eventValues } from '../../rows/event.ts'
import type { TableStatements } from '../../work/table-statements.ts'
import { bind } from '../../work/work.ts'

export const tableStatements: TableStatements = {
  // A transaction that writes has the file for itself.
  lock: () => [],
  columns: (table) => bind({ text: 'SELECT name FROM pragma_table_info(?)' }, table),
  insert(table, columns, rows) {
    const statement = {
      text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    }
    return rows.map((values) => ({ statement, values }))
  },
  append: (rows) => tableStatements.insert('events', eventColumns, rows.map(eventValues)),
  lastNumber: (table) => bind({ text: 'SELECT seq FROM sqlite_sequence WHERE name = ?' }, table),
  continueNumbers: (table, last) => [
    bind({ text: 'DELETE FROM sqlite_sequence WHERE name = ?' }, table),
    bind({ text: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)' }, table, last),
  ],
}
