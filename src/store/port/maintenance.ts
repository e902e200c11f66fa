import type { CustomerChunk } from '../../model/customer/chunk.ts'
import type { Customer } from '../../model/customer/customer.ts'
import type { Deal } from '../../model/deal/deal.ts'
import type { DealEvent } from '../../model/event.ts'
import type { Command } from '../../model/perform.ts'
import type { Opening } from './opening.ts'

/** What an operator does with a database, beside the services that use it or without any. */
export interface Maintenance {
  readonly opening: Opening
  /**
   * Adds customers, and changes those whose id exists, in batches that are each kept whole or not at all.
   * When `source` throws, the batch under way is not kept; when it ends, everything is.
   * `expected` is about how many rows there will be, where that is known and they come without pause.
   */
  importCustomers(source: AsyncIterable<CustomerChunk>, expected: number | undefined): AsyncIterable<ImportProgress>
  /** Writes what a database is to begin with; says no when it holds anything. */
  fill(content: Content): Promise<'filled' | 'not empty'>
  /** A copy as of one moment, made while others write. `onProgress` is told the share that is done. */
  backup(file: string, onProgress: (share: number) => void): Promise<void>
  /** Removes deals deleted before an instant, with their events and commands; gives their ids, a batch at a time. */
  purge(before: string, options: { readonly dryRun: boolean }): AsyncIterable<readonly string[]>
}

export interface ImportCounts {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
}

export interface ImportProgress {
  /** Rows so far, those of the batch under way included. */
  readonly taken: number
  /** What the durable batches hold. */
  readonly kept: ImportCounts
  readonly batches: number
}

/** What a database is filled with at once: customers, and deals with everything that happened to them. */
export interface Content {
  readonly customers: readonly Customer[]
  readonly deals: readonly Deal[]
  /** In the order in which they happened. */
  readonly events: readonly DealEvent[]
  readonly commands: readonly Command[]
}
