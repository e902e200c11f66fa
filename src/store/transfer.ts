/** Every table that holds what users put in, those that others refer to first, and the column that orders its rows. */
export const transferTables = [
  { name: 'customers', order: 'id' },
  { name: 'deals', order: 'id' },
  { name: 'events', order: 'sequence' },
  { name: 'commands', order: 'id' },
] as const

export type TransferTable = (typeof transferTables)[number]

/** Values as either database takes them: booleans are 0 and 1. An event's sequence is its digits. */
export type TransferRow = readonly (string | number | null)[]

/** A whole database, read or written as rows, in one transaction: all of it as of one moment, or all of it or nothing. */
export interface Transfer {
  columns(table: TransferTable): Promise<readonly string[]>
  count(table: TransferTable): Promise<number>
  /** A batch at a time, in the table's order. */
  rows(table: TransferTable, columns: readonly string[]): AsyncIterable<readonly TransferRow[]>
  /** In the table's order; where sequences have another form they are given anew, in that order. */
  write(table: TransferTable, columns: readonly string[], rows: readonly TransferRow[]): Promise<void>
  /** The highest id that was given to a customer, so that none is given twice. */
  lastCustomer(): Promise<number>
  continueCustomers(last: number): Promise<void>
  commit(): Promise<void>
  /** What was not committed is gone. */
  close(): Promise<void>
}

export type TransferDirection = 'out' | 'in'
