import type { HappenedTo } from '../../model/declaration/event.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { EventRow } from '../rows/event.ts'
import type { Row } from '../sql/statement.ts'
import type { BoundStatement } from './work.ts'

/** An engine's own statements for filling and copying whole tables. */
export interface TableStatements {
  /** Makes other writers wait until the transaction ends; readers do not wait. */
  lock(tables: readonly string[]): readonly BoundStatement[]
  /** Makes those who link to a thing of these resources, or remove a linked one, wait until the transaction ends. */
  awaitLinks(resources: readonly string[]): readonly BoundStatement[]
  /** Makes those who would change these things of a table wait until the transaction ends. */
  awaitTurns(table: string, subjects: readonly string[]): readonly BoundStatement[]
  /** Gives the names of the columns that are copied. */
  columns(table: string): BoundStatement
  /** `onConflict` says what happens with rows that exist. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Row[],
    onConflict?: string,
  ): readonly BoundStatement[]
  /** Changes rows by their id, which is the first column, and keeps the time of their last change. */
  update(table: string, columns: readonly string[], rows: readonly Row[]): readonly BoundStatement[]
  /** Indexes written things for searches, if the engine defers that. */
  index(resource: Resource): readonly BoundStatement[]
  /** Tidies the index for searches and the statistics after many writes, in a separate transaction. */
  tidy(resource: Resource): readonly BoundStatement[]
  /** Renews the statistics by which the engine plans, of tables that were filled, if it needs that. */
  analyze(tables: readonly string[]): readonly BoundStatement[]
  /** Appends events to the feed, in order. */
  append(rows: readonly EventRow<HappenedTo>[]): readonly BoundStatement[]
  /** Returns the highest number ever assigned as an id in the table, or no row. */
  lastNumber(table: string): BoundStatement
  /** Assigns ids after this number from now on. */
  continueNumbers(table: string, last: number): readonly BoundStatement[]
}
