import type { HappenedTo } from '../../../model/declaration/event.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { type EventRow, eventColumns, eventValues } from '../../rows/event.ts'
import type { TableStatements } from '../../transactions/table-statements.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import { LAST_EVENT } from '../schema/event-links.ts'
import { indexStatements } from '../schema/search-index.ts'

const isCopied = `name <> '${LAST_EVENT}' AND (?1 <> 'events' OR name NOT IN ('milestone', 'previous'))`

export const tableStatements: TableStatements = {
  // A writing transaction has the file to itself.
  lock: () => [],
  awaitLinks: () => [],
  awaitTurns: () => [],
  // A copy links its events again: they may get other numbers.
  columns: (table) => bind({ text: `SELECT name FROM pragma_table_info(?1) WHERE ${isCopied}` }, table),
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
  analyze: () => [],
  append: (rows) => rows.flatMap(appended),
  lastNumber: (table) => bind({ text: 'SELECT seq FROM sqlite_sequence WHERE name = ?' }, table),
  continueNumbers: (table, last) => [
    bind({ text: 'DELETE FROM sqlite_sequence WHERE name = ?' }, table),
    bind({ text: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)' }, table, last),
  ],
}

/** An event after the last one of its thing, if there is such a thing. */
function appended(row: EventRow<HappenedTo>): readonly BoundStatement[] {
  const values = [...eventValues(row), Number(row.isMilestone)]
  const columns = [...eventColumns, 'milestone']
  const { on } = row.event.operation
  if (!isResource(on)) return tableStatements.insert('events', columns, [values])
  const { plural: table } = on
  const { id } = row.event.thing
  const text = `INSERT OR FAIL INTO events (${columns.join(', ')}, previous)
    VALUES (${columns.map(() => '?').join(', ')}, (SELECT ${LAST_EVENT} FROM ${table} WHERE id = ?))`
  return [
    bind({ text }, ...values, id),
    bind({ text: `UPDATE ${table} SET ${LAST_EVENT} = last_insert_rowid() WHERE id = ?` }, id),
  ]
}

const isResource = (on: HappenedTo): on is Resource => 'plural' in on
