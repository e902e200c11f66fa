import type { Referrer } from '../../../model/schema/resources.ts'
import type { EventRow } from '../../rows/event.ts'
import type { Statement } from '../../sql/statement.ts'
import type { FactsOf } from '../facts/known-facts.ts'
import type { ThingReader } from '../facts/stored-thing.ts'
import type { BoundStatement, Work } from '../work.ts'
import type { Decision } from './decision.ts'

/** Decisions that are written together. */
export interface DecidedRows {
  /** The work that comes first. */
  readonly first: readonly BoundStatement[]
  /** The things that are unlinked from removed ones. */
  readonly parted: readonly Decision[]
  readonly decisions: readonly Decision[]
  /** Those of the decisions, in their order. */
  readonly events: readonly EventRow[]
}

/** The work that each engine does in its own way when a batch is decided and written. */
export interface WriteEngine {
  readonly things: ThingReader
  /** The facts when decisions ask for them; absent if a statement costs a round trip: then they are read before. */
  readonly facts?: FactsOf
  /** Writes rows; gives the ids of the written things, as texts, if another writer may have been faster. */
  write(rows: DecidedRows): Work<ReadonlySet<string> | undefined>
  /** Locks the things that refer to a removed one, and gives their ids; absent if nobody else writes meanwhile. */
  readonly lockParting?: (referrer: Referrer) => Statement
  /** Whether the lock of a thing was taken at the beginning. */
  readonly isLocked?: (id: string) => boolean
}
