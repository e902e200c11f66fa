import type { Row, Statement } from '../connect/connection.ts'

/** Rows as the JSON that `json_populate_recordset` takes. */
export const recordsOf = (columns: readonly string[], rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))))

export const insertRecords = (table: string, columns: readonly string[], onConflict = ''): Statement => ({
  text: `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1) ${onConflict}`,
})
