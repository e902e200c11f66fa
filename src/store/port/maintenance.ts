import type { CustomerChunk } from '../../model/customer/chunk.ts'
import type { ImportCounts } from '../../model/customer/imported.ts'
import type { DomainEvent, DoneBy } from '../../model/event.ts'
import type { Command } from '../../model/perform/intent.ts'
import type { Resource, Thing } from '../../model/resource.ts'
import type { ImportStep, UploadRun } from './import-store.ts'
import type { Opening } from './opening.ts'

/** An operator's work on a database, with or without running services. */
export interface Maintenance {
  readonly opening: Opening
  /**
   * Adds customers, and changes those whose id exists, in batches that are each kept whole or not at all.
   * When `source` throws, the current batch is lost; when it ends, everything is kept.
   * Either way one event tells what was kept, where that changed anything.
   * The event of an upload's `run` also tells what earlier runs kept and no event told, because their process died.
   * `expected` is the approximate number of rows, if it is known and they come without pause.
   */
  importCustomers(
    source: AsyncIterable<ImportedChunk>,
    expected: number | undefined,
    by?: DoneBy,
    run?: UploadRun,
  ): AsyncIterable<ImportProgress>
  /** Fills an empty database; returns false if it holds anything. */
  fill(content: InitialContent): Promise<'filled' | 'not empty'>
  /**
   * Removes what was deleted before an instant: deals with their events and commands, and what events and commands tell
   * of customers, but for the event of the deletion. Gives their ids, a batch at a time.
   */
  purge(before: string, options: { readonly dryRun: boolean }): AsyncIterable<Purged>
  /** Removes commands, then events, that are older than these instants; gives how many, a batch at a time. */
  trim(before: TrimmedBefore): AsyncIterable<Trimmed>
}

/** A chunk with a step is kept together with it, or not at all: an import that stopped goes on behind it. */
export interface ImportedChunk extends CustomerChunk {
  readonly step?: ImportStep
}

/** Undefined keeps them for ever. */
export interface TrimmedBefore {
  readonly commands: string | undefined
  readonly events: string | undefined
}

export interface Trimmed {
  readonly commands: number
  readonly events: number
}

/** What a restoration put in place. */
export interface Restored {
  readonly bytes: number
  /** How many migrations the next start makes. */
  readonly pending: number
  /** Where the former database is, if it was damaged. */
  readonly former: string | undefined
}

/** The bytes of a database before and after it was written anew. */
export interface Vacuumed {
  readonly before: number
  readonly after: number
}

export interface Purged {
  readonly resource: string
  readonly ids: readonly string[]
}

export interface ImportProgress {
  /** Rows so far, including the current batch. */
  readonly taken: number
  /** The counts of the durable batches. */
  readonly kept: ImportCounts
  readonly batches: number
}

/** The content of a new database: customers, and deals with their history. */
export interface InitialContent {
  /** Those that others refer to first. */
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  /** In the order in which they happened. */
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}
