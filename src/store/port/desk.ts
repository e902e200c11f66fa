import type { Markings } from '../../model/deal/deal.ts'
import type { Command } from '../../model/perform/intent.ts'
import type { Claimant } from '../../model/perform/privacy.ts'
import type { Key } from '../../model/resource.ts'
import type { Relation } from '../../model/resources.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import type { Collection } from '../../queries/collection.ts'
import type { Filter, Query, Value } from '../../queries/query.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { JsonTexts } from '../../values/json/texts.ts'

/** The store as one caller sees it: a private thing of another is as if it were not there. decisions/0039 */
export interface Desk {
  /** Undefined for the service itself, and where there are no users. */
  readonly caller: Claimant | undefined
  /** The schema by which it reads. */
  readonly schema: Schema
  /** The desk of all who see the same lists: what it reads may be kept and shown to each of them. */
  readonly shared: Desk
  /** Tells when what was read may have changed. */
  readonly changes: Changes
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
  page(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): Promise<Page>
  /** The same; the items of a long page are packed, and take little memory. */
  textPage(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): Promise<TextPage>
  /**
   * The whole filtered result as lines of JSON in UTF-8, a batch of whole lines at a time, in constant memory:
   * a batch is there until the next is asked for.
   */
  stream(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array>
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
}

/** Whose desk sees everything: that of the service itself, and of everybody where there are no users. */
export const SERVICE = undefined

/** What changes in a store, without what it holds. */
export interface Changes {
  /** Since it was opened: how many commits there were, how many changes they held, and how many wait for one. */
  readonly counts: WriteCounts
  /**
   * Calls when events may have come, whichever process wrote them: each event is readable when the call for it
   * comes. Calls may be merged, and may come for nothing. Ends when what it answers is called.
   */
  onEvents(listener: () => void): () => void
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
