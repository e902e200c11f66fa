/** A table that is copied, and what orders its rows. */
export interface TransferTable {
  readonly name: string
  readonly order: string
  /** The column that holds a place in the feed. */
  readonly place?: string
}

/** Every table that holds what users put in, those that others refer to first. */
export const transferTables: readonly TransferTable[] = [
  { name: 'customers', order: 'id' },
  { name: 'deals', order: 'id' },
  { name: 'events', order: 'sequence', place: 'sequence' },
  { name: 'commands', order: 'id' },
  { name: 'credentials', order: 'name' },
  { name: 'webhooks', order: 'id', place: 'cursor' },
  { name: 'removed_webhooks', order: 'id' },
  { name: 'deliveries', order: 'webhook_id, number', place: 'sequence' },
]

/** Values as either database takes them: booleans are 0 and 1. A place in the feed is its digits. */
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
