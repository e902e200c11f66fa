import type { Resource } from '../../model/schema.ts'
import type { EventRow } from '../rows/event.ts'
import type { Row } from '../sql/statement.ts'
import type { BoundStatement } from './work.ts'

/** How an engine fills and copies whole tables, in its own text. */
export interface TableStatements {
  /** Makes other writers wait until the transaction ends; readers do not wait. */
  lock(tables: readonly string[]): readonly BoundStatement[]
  /** Gives the names of the columns that are copied. */
  columns(table: string): BoundStatement
  insert(table: string, columns: readonly string[], rows: readonly Row[]): readonly BoundStatement[]
  /** Changes rows by their id, which is the first column, and keeps when they were changed last. */
  update(table: string, columns: readonly string[], rows: readonly Row[]): readonly BoundStatement[]
  /** Indexes things that were written for searches, where the engine leaves that for later. */
  index(resource: Resource): readonly BoundStatement[]
  /** Readies the index that searches read, after many things were written, in a transaction of its own. */
  tidy(resource: Resource): readonly BoundStatement[]
  /** Puts events at the end of the feed, in their order. */
  append(rows: readonly EventRow[]): readonly BoundStatement[]
  /** Gives the highest number that a thing of the table ever had as its id, or no row. */
  lastNumber(table: string): BoundStatement
  /** Ids are assigned behind this number from now on. */
  continueNumbers(table: string, last: number): readonly BoundStatement[]
}
