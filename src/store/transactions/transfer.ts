import type { Transfer } from '../port/transfer.ts'
import type { TableStatements } from './table-statements.ts'
import { askAll, type BoundStatement, bind, type Work } from './work.ts'

/** Rows that are read at a time. */
export const TRANSFER_BATCH = 1000

/** The engine's own part of copying a database. */
export interface TransferDriver
  extends Pick<Transfer, 'schema' | 'placeDigits' | 'rows' | 'lastPlace' | 'continueFeed' | 'commit' | 'close'> {
  readonly statements: TableStatements
  /** In the one transaction. */
  run<T>(work: Work<T>): Promise<T>
  /** A position in the feed in the table's format; called in the table's order. */
  placeIn(table: string, digits: string): string | number
}

export function transferOver({ statements, run, placeIn, ...own }: TransferDriver): Transfer {
  const ask = async (statement: BoundStatement) => (await run(askAll([statement])))[0] ?? []
  return {
    ...own,
    columns: async ({ name }) => (await ask(statements.columns(name))).map(([column]) => String(column)),
    count: async ({ name }) => Number((await ask(bind({ text: `SELECT count(*) FROM ${name}` })))[0]?.[0]),
    async clear(table) {
      await ask(bind({ text: `DELETE FROM ${table}` }))
    },
    async write({ name, place }, columns, rows) {
      const at = place === undefined ? -1 : columns.indexOf(place)
      const placed = at === -1 ? rows : rows.map((row) => row.with(at, placeIn(name, String(row[at]))))
      await run(askAll(statements.insert(name, columns, placed)))
    },
    lastNumber: async (table) => Number((await ask(statements.lastNumber(table)))[0]?.[0] ?? 0),
    async continueNumbers(table, last) {
      await run(askAll(statements.continueNumbers(table, last)))
    },
  }
}
