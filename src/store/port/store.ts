import type { Markings } from '../../model/deal/deal.ts'
import type { IntentBatch, NotTried } from '../../model/perform/batch.ts'
import type { Command, Intent } from '../../model/perform/intent.ts'
import type { Refusal } from '../../model/refusal.ts'
import type { Key, Resource } from '../../model/resource.ts'
import type { Relation } from '../../model/resources.ts'
import type { CollectionName } from '../../queries/collection.ts'
import type { Filter, Query, Value } from '../../queries/query.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Accounts } from './accounts.ts'
import type { ImportStore } from './import-store.ts'
import type { Opening } from './opening.ts'
import type { WebhookStore } from './webhook-store.ts'

/** Where deals, customers, events and commands are kept. Two adapters pass one contract suite. */
export interface Store {
  readonly opening: Opening
  /** Decides an intent where nothing moves underneath; what it changed is durable when this resolves. */
  perform(intent: Intent): Promise<Outcome>
  /** Decides the intents of a batch in one transaction; what it kept is durable when this resolves. */
  performTogether(batch: IntentBatch): Promise<BatchOutcome>
  find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined>
  command(id: string): Promise<Command | undefined>
  /** The event that made a thing's revision. */
  event(resource: Resource, subject: Key, revision: number): Promise<StoredEvent | undefined>
  /** A thing as it was, or why that cannot be told. */
  past(resource: Resource, id: Key, moment: Moment): Promise<Past>
  /**
   * Throws `SearchTooCostly` where the filter looks at text, or groups are asked for, and that takes too long; once nobody
   * waits for it any more, such a search ends and throws the signal's reason.
   */
  page(collection: CollectionName, scope: Filter, query: Query, options?: SearchOptions): Promise<Page>
  /** The same; the items of a long page are packed, and take little memory. */
  textPage(collection: CollectionName, scope: Filter, query: Query, options?: SearchOptions): Promise<TextPage>
  /**
   * The whole filtered result as lines of JSON in UTF-8, a batch of whole lines at a time, in constant memory:
   * a batch is there until the next is asked for.
   */
  stream(collection: CollectionName, scope: Filter, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array>
  /**
   * The things related to those with these keys, as JSON texts, by the key as text; of many the latest ones that are not
   * deleted, at most so many of each. It takes one statement.
   */
  related(relation: Relation, keys: readonly Key[], most: number): Promise<ReadonlyMap<string, readonly string[]>>
  /** The names of those customers that there are. */
  customerNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** The first regex that this store cannot search for, though RE2 could; nothing when it can answer the filter. */
  unsearchable(filter: Filter): Promise<{ readonly field: string; readonly fault: Reason } | undefined>
  readonly trimmed: {
    /** The position up to which the feed was trimmed; undefined if it is whole. */
    upTo(): Promise<string | undefined>
    /** How many entries a thing's history has lost. */
    of(subject: Key): Promise<number>
  }
  /** Since it was opened: how many commits there were, how many changes they held, and how many wait for one. */
  readonly counts: WriteCounts
  /** How many searches wait for their turn. */
  readonly searches: { readonly waiting: number }
  /** The connections of a store that is a server. */
  readonly pool?: PoolUse
  readonly accounts: Accounts
  /**
   * Calls when events may have come, whichever process wrote them: each event is readable when the call for it
   * comes. Calls may be merged, and may come for nothing. Ends when what it answers is called.
   */
  onEvents(listener: () => void): () => void
  readonly webhooks: WebhookStore
  readonly imports: ImportStore
  /** Answers while the store can be read and written; throws `StoreUnavailable` otherwise. */
  check(): Promise<void>
  /** Ends the wait of everything that waits for a database that does not answer: it fails as unavailable. */
  giveUp(): void
  close(): Promise<void>
}

/** Connections that run a statement, that rest, and that are broken; and how much waits for one. */
export interface PoolUse {
  readonly used: number
  readonly idle: number
  readonly down: number
  readonly waiting: number
}

export interface WriteCounts {
  readonly commits: number
  readonly changes: number
  readonly waiting: number
}

/** A thing as it is read: its document, and beside it what an answer's head and links need, its markings included. */
export interface Stored {
  readonly id: Key
  readonly revision: number
  readonly updatedAt: string
  /** When it came into the state before; known of what was read alone. */
  readonly previousAt?: string | null
  /** The document as JSON text. */
  readonly json: string
  readonly [marking: string]: unknown
}

export interface StoredDeal extends Stored, Markings {
  readonly id: string
  readonly customerId: number | null
}

export interface StoredCustomer extends Stored {
  readonly id: number
}

/** An event as it is read: its entry in the history and the thing it left behind, as JSON texts. */
export interface StoredEvent {
  readonly revision: number
  readonly operation: string
  readonly at: string
  readonly entry: string
  readonly doc: string
}

/** A time in the life of a thing. */
export type Moment = { readonly revision: number } | { readonly asOf: string }

/** The thing as it was then and as it is now. A state is missing before and after its time, or if no event keeps it. */
export type Past =
  | { readonly thing: Stored; readonly present: Stored }
  | { readonly missing: 'thing' }
  | { readonly missing: 'before' | 'later' | 'unrecorded'; readonly present: Stored }

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

export interface Page extends TextPage {
  readonly items: readonly string[]
}

export interface TextPage {
  /** Each item as JSON text. */
  readonly items: JsonTexts
  readonly hasMore: boolean
  /** Whether the page begins behind something. */
  readonly hasLess: boolean
  /** The first item's values in the sort's fields; nothing on an empty page. */
  readonly first: readonly Value[] | undefined
  /** The last item's values in the sort's fields; nothing on an empty page. */
  readonly last: readonly Value[] | undefined
  readonly total: number | undefined
}

/** How long a search is waited for. */
export interface SearchOptions {
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
  /** Where it may take as long as it needs; a stream always may. */
  readonly unbounded?: boolean
  /** Whether nobody asks for what precedes a page. */
  readonly onlyForward?: boolean
}

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
