import type { Schema } from '../../model/declaration/schema.ts'
import { projectionsOf, referencedFirst } from '../../model/schema/resources.ts'

/** A table that is copied, and the order of its rows. */
export interface TransferTable {
  readonly name: string
  readonly order: string
  /** The column that holds a position in the feed. */
  readonly place?: string
}

/** Every table with users' data; referenced tables come first. */
export const transferTables = (schema: Schema): readonly TransferTable[] => {
  const known = ordinaryTables(schema)
  const further = schema.audited.filter(({ plural }) => !known.some(({ name }) => name === plural))
  return [...known, ...further.map(({ plural, key }) => ({ name: plural, order: key }))]
}

const ordinaryTables = (schema: Schema): readonly TransferTable[] => [
  // Triggers index the values of these fields as the things are written.
  { name: 'own_indexes', order: 'on_table, field' },
  ...referencedFirst(schema).map(({ plural }) => ({ name: plural, order: 'id' })),
  ...schema.resources.flatMap(projectionsOf).map(({ name }) => ({ name, order: 'id' })),
  { name: 'model', order: 'one' },
  { name: 'events', order: 'sequence', place: 'sequence' },
  { name: 'trimmed_feed', order: 'upto', place: 'upto' },
  { name: 'trimmed_histories', order: 'subject' },
  { name: 'commands', order: 'id' },
  ...['actors', 'users', 'former_users'].map((name) => ({ name, order: 'name' })),
  { name: 'keys', order: 'hash' },
  { name: 'passwords', order: 'user_name' },
  { name: 'calendars', order: 'user_name' },
  { name: 'identities', order: 'issuer, subject' },
  { name: 'sessions', order: 'id' },
  { name: 'invitations', order: 'hash' },
  { name: 'kept_forms', order: 'hash' },
  { name: 'set_up_code', order: 'one' },
  { name: 'corrections', order: 'id' },
  { name: 'imports', order: 'id' },
  { name: 'import_pieces', order: 'import_id, part, number' },
  { name: 'import_changes', order: 'import_id, resource, subject' },
  { name: 'import_answers', order: 'owner, resource, headings' },
  { name: 'audit', order: 'id' },
  { name: 'webhooks', order: 'id', place: 'cursor' },
  { name: 'removed_webhooks', order: 'id' },
  { name: 'deliveries', order: 'webhook_id, number', place: 'sequence' },
]

/** Values for either database: booleans are 0 and 1, a position in the feed is a number or digits. */
export type TransferRow = readonly (string | number | null)[]

/** A whole database as rows, read or written in one transaction. */
export interface Transfer {
  readonly schema: Schema
  /**
   * The number of digits of a position in the feed: if both databases have the same, positions are copied unchanged.
   */
  readonly placeDigits: number
  columns(table: TransferTable): Promise<readonly string[]>
  count(table: Pick<TransferTable, 'name'>): Promise<number>
  /** Removes all rows of a table. */
  clear(table: string): Promise<void>
  /** A batch at a time, in the table's order. */
  rows(table: TransferTable, columns: readonly string[]): AsyncIterable<readonly TransferRow[]>
  /** In the table's order; positions of another store get new numbers, in that order. */
  write(table: TransferTable, columns: readonly string[], rows: readonly TransferRow[]): Promise<void>
  /** The highest number ever assigned as an id, so that none is assigned twice. */
  lastNumber(table: string): Promise<number>
  continueNumbers(table: string, last: number): Promise<void>
  /** The highest number ever assigned to an event; undefined if events are not numbered. */
  lastPlace(): Promise<number | undefined>
  /** New events come after it, for readers who have read that far. */
  continueFeed(last: number): Promise<void>
  commit(): Promise<void>
  /** Rolls back what was not committed. */
  close(): Promise<void>
}

export type TransferDirection = 'out' | 'in'
