import type { Refusal } from '../../model/declaration/refusal.ts'
import type { Schema, SchemaSource } from '../../model/declaration/schema.ts'
import { alone, type IntentBatch, type NotTried } from '../../model/intent/batch.ts'
import type { Command, Intent, Verdict } from '../../model/intent/intent.ts'
import type { Durations } from '../../monitoring/durations.ts'
import type { Caller } from '../../values/role.ts'
import type { Accounts } from './accounts.ts'
import type { Changes, Desk, Stored, StoredEvent } from './desk.ts'
import type { ImportStore } from './import-store.ts'
import type { Opening } from './opening.ts'
import type { OwnIndexes } from './own-indexes.ts'
import type { WebhookStore } from './webhook-store.ts'

/** The store of things, events and commands. Two adapters pass one contract suite. */
export interface Store extends Changes {
  readonly opening: Opening
  /** The values that settings give to new things. */
  readonly defaults: { readonly currency: string }
  readonly schemas: SchemaInUse
  /** The store as a caller sees it: the only way to read. */
  as(caller: Caller | undefined): Desk
  /** Decides intents in one transaction, isolated from other writers; its changes are durable when this resolves. */
  perform(batch: IntentBatch): Promise<BatchOutcome>
  /** Of commits, and of statements; those of a search, which runs in steps, are not among them. */
  readonly durations: { readonly commits: Durations; readonly statements: Durations }
  /** The number of searches that wait for their turn. */
  readonly searches: { readonly waiting: number }
  /** The connections of a store that is a server. */
  readonly pool?: PoolUse
  readonly accounts: Accounts
  readonly webhooks: WebhookStore
  readonly imports: ImportStore
  readonly indexes: OwnIndexes
  /** Answers while the store can be read and written; throws `StoreUnavailable` otherwise. */
  check(): Promise<void>
  /** Ends the waits for a database that does not answer: they fail as unavailable. */
  giveUp(): void
  close(): Promise<void>
}

export interface SchemaInUse {
  /** The schema in use: that of the source, until another is adopted. */
  readonly current: Schema
  /** Everything that begins after this has resolved uses the new schema. Throws if a table lacks one of its columns. */
  adopt(source: SchemaSource): Promise<void>
  /** Adopts the stored model if another process has changed it. */
  catchUp(): Promise<void>
}

/** The number of busy, idle and broken connections, and of those who wait for one. */
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
      /** Whether the thing was removed permanently. */
      readonly removed: boolean
      /** Whether an upsert created the thing. */
      readonly made: boolean
      /** The last event of the change; undefined if nothing changed. */
      readonly event: StoredEvent | undefined
      readonly command: Command | undefined
      readonly replayed: boolean
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly replayed: boolean }

/** Nothing is wrong so far: the intent is asked again with what is prepared outside the transaction. */
export type Preparation = Extract<Verdict, { readonly kind: 'prepare' }>

/** The outcomes of a batch, in the order of its intents. */
export interface BatchOutcome<O = Outcome | Preparation> {
  /** Whether the applied changes are kept: not after a dry run, nor if one intent of an atomic batch was refused. */
  readonly isKept: boolean
  readonly outcomes: readonly (O | NotTried)[]
}

/** Performs a single intent; `prepare` makes what it needs from outside the transaction. */
export async function performAlone(
  store: Pick<Store, 'perform'>,
  intent: Intent,
  prepare: () => unknown = () => null,
): Promise<Outcome> {
  const { outcomes } = await store.perform(alone(intent))
  const [outcome] = outcomes
  if (outcome?.kind === 'prepare' && intent.prepared === undefined)
    return performAlone(store, { ...intent, prepared: await prepare() })
  if (outcome === undefined || outcome.kind === 'not-tried' || outcome.kind === 'prepare')
    throw new Error('an intent was not answered')
  return outcome
}

/** The store cannot work now; the caller may try again after this many seconds. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
  readonly retryAfter: number
  /** Whether the store logs it, so that callers need not. */
  readonly isTold: boolean = false
  constructor(message: string, retryAfter: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** The database cannot be reached. The store logs once when it goes, and once when it comes back. */
export class StoreAway extends StoreUnavailable {
  override readonly name: string = 'StoreAway'
  override readonly isTold = true
}

/** The database can no longer be trusted. The reason is already logged, and the process is about to end. */
export class StoreBroken extends StoreUnavailable {
  override readonly name = 'StoreBroken'
  override readonly isTold = true
}

/** A search has used up the budget of one page. */
export class SearchTooCostly extends Error {
  override readonly name = 'SearchTooCostly'
}
