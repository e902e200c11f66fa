import type { DomainEvent } from '../../model/declaration/event.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import type { Opening } from './opening.ts'

/** An operator's work on a database, with or without running services. */
export interface Maintenance {
  readonly opening: Opening
  readonly schema: Schema
  /** Fills an empty database; returns false if it is not empty. */
  fill(content: InitialContent): Promise<'filled' | 'not empty'>
  /**
   * Removes things that were deleted before an instant: deals with their events and commands, and the content of
   * customers in events and commands, except the event of the deletion. Returns their ids, a batch at a time.
   */
  purge(before: string, options: { readonly dryRun: boolean }): AsyncIterable<Purged>
  /** Removes commands, then events, that are older than these instants; returns their numbers, a batch at a time. */
  trim(before: TrimmedBefore): AsyncIterable<Trimmed>
}

/** Undefined keeps them forever. */
export interface TrimmedBefore {
  readonly commands: string | undefined
  readonly events: string | undefined
}

export interface Trimmed {
  readonly commands: number
  readonly events: number
}

/** The result of a restoration. */
export interface Restored {
  readonly bytes: number
  /** The number of migrations that the next start will make. */
  readonly pending: number
  /** Where the former database is, if it was damaged. */
  readonly former: string | undefined
}

/** The size of a database in bytes before and after it was rewritten. */
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
  /** Referenced things first. */
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  /** In chronological order. */
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}
