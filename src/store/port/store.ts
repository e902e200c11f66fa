import type { ManagedIntent } from '../../model/managed/managed-operation.ts'
import { alone, type IntentBatch, type NotTried } from '../../model/perform/batch.ts'
import type { Command, Intent } from '../../model/perform/intent.ts'
import type { Claimant } from '../../model/perform/privacy.ts'
import type { Refusal } from '../../model/refusal.ts'
import type { Schema, SchemaSource } from '../../model/schema.ts'
import type { Accounts } from './accounts.ts'
import type { Changes, Desk, Stored, StoredEvent } from './desk.ts'
import type { ImportStore } from './import-store.ts'
import type { ManagedOutcome } from './managed.ts'
import type { Opening } from './opening.ts'
import type { WebhookStore } from './webhook-store.ts'

/** Where deals, customers, events and commands are kept. Two adapters pass one contract suite. */
export interface Store extends Changes {
  readonly opening: Opening
  readonly schemas: SchemaInUse
  /** The store as a caller sees it: the only way to read. */
  as(caller: Claimant | undefined): Desk
  /** Decides intents where nothing moves underneath, in one transaction; what it kept is durable when this resolves. */
  perform(batch: IntentBatch): Promise<BatchOutcome>
  /** The same for users, keys, sessions, webhooks and deliveries. decisions/0033 */
  manage(intent: ManagedIntent): Promise<ManagedOutcome>
  /** How many searches wait for their turn. */
  readonly searches: { readonly waiting: number }
  /** The connections of a store that is a server. */
  readonly pool?: PoolUse
  readonly accounts: Accounts
  readonly webhooks: WebhookStore
  readonly imports: ImportStore
  /** Answers while the store can be read and written; throws `StoreUnavailable` otherwise. */
  check(): Promise<void>
  /** Ends the wait of everything that waits for a database that does not answer: it fails as unavailable. */
  giveUp(): void
  close(): Promise<void>
}

export interface SchemaInUse {
  /** The schema in use: that of the source, until another is adopted. */
  readonly current: Schema
  /** Whatever begins when this has resolved goes by the new schema. Throws where a table lacks one of its columns. */
  adopt(source: SchemaSource): Promise<void>
}

/** Connections that run a statement, that rest, and that are broken; and how much waits for one. */
export interface PoolUse {
  readonly used: number
  readonly idle: number
  readonly down: number
  readonly waiting: number
}

export type Outcome =
  | {
      readonly kind: 'applied'
      readonly thing: Stored
      /** Whether the thing is gone for good. */
      readonly removed: boolean
      /** The last event of the change; nothing when no difference was asked for. */
      readonly event: StoredEvent | undefined
      readonly command: Command | undefined
      readonly replayed: boolean
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly replayed: boolean }

/** What became of a batch, in the order of its intents. */
export interface BatchOutcome {
  /** Whether what was applied is kept: not after a dry run, nor where one of an atomic batch was refused. */
  readonly isKept: boolean
  readonly outcomes: readonly (Outcome | NotTried)[]
}

/** Performs an intent by itself. */
export async function performAlone(store: Pick<Store, 'perform'>, intent: Intent): Promise<Outcome> {
  const { outcomes } = await store.perform(alone(intent))
  const [outcome] = outcomes
  if (outcome === undefined || outcome.kind === 'not-tried') throw new Error('an intent was not answered')
  return outcome
}

/** Whether there are new events. */
export const hasEvents = ({ isKept, outcomes }: BatchOutcome): boolean =>
  isKept && outcomes.some((each) => each.kind === 'applied' && each.event !== undefined && !each.replayed)

/** The store cannot take work now; the caller may try again after so many seconds. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
  readonly retryAfter: number
  /** Whether the store tells the log itself, so that nobody has to who sees this. */
  readonly isTold: boolean = false
  constructor(message: string, retryAfter: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** The database cannot be reached. The store tells the log once when it goes, and once when it comes back. */
export class StoreAway extends StoreUnavailable {
  override readonly name: string = 'StoreAway'
  override readonly isTold = true
}

/** The database can no longer be trusted. Whoever noticed has told the log, and the process is about to end. */
export class StoreBroken extends StoreUnavailable {
  override readonly name = 'StoreBroken'
  override readonly isTold = true
}

/** A search has used up what the search for one page may cost. */
export class SearchTooCostly extends Error {
  override readonly name = 'SearchTooCostly'
}
