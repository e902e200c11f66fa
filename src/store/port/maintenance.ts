import type { DomainEvent } from '../../model/event.ts'
import type { Command } from '../../model/perform/intent.ts'
import type { Thing } from '../../model/resource.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import type { Opening } from './opening.ts'

/** An operator's work on a database, with or without running services. */
export interface Maintenance {
  readonly opening: Opening
  readonly schema: Schema
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

/** The content of a new database: customers, and deals with their history. */
export interface InitialContent {
  /** Those that others refer to first. */
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  /** In the order in which they happened. */
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}
