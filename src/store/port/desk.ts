import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import type { Relation } from '../../model/schema/resources.ts'
import type { Collection } from '../../queries/collection.ts'
import type { Filter, Query, Value } from '../../queries/query.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Caller } from '../../values/role.ts'

/** The store as one caller sees it: another's private thing is invisible. decisions/0039 */
export interface Desk {
  /** Undefined for the service itself, and if there are no users. */
  readonly caller: Caller | undefined
  /** The schema by which it reads. */
  readonly schema: Schema
  /** The desk of all callers who see the same lists: its results may be cached and shown to each of them. */
  readonly shared: Desk
  /** Announces when results may have changed. */
  readonly changes: Changes
  find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined>
  /** The id of the thing whose unique field has a value. */
  idBy(resource: Resource, field: string, value: unknown): Promise<Key | undefined>
  command(id: string): Promise<Command | undefined>
  /** The event that made a thing's revision. */
  event(resource: Resource, subject: Key, revision: number): Promise<StoredEvent | undefined>
  /** A thing in a past state, or why it is unknown. */
  past(resource: Resource, id: Key, moment: Moment): Promise<Past>
  /**
   * Throws `SearchTooCostly` if a text search or a query for groups takes too long. If the signal is aborted, such a
   * search ends and throws the signal's reason.
   */
  page(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): Promise<Page>
  /** The same; the items of a long page are packed, and take little memory. */
  textPage(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): Promise<TextPage>
  /**
   * The whole filtered result as lines of JSON in UTF-8, in batches of whole lines and constant memory: a batch is
   * valid until the next is requested.
   */
  stream(collection: Collection, scope: Filter, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array>
  /**
   * The things related to those with these keys, as JSON texts, by the key as text; for relations to many, the latest
   * that are not deleted, up to a limit for each key. It takes one statement.
   */
  related(relation: Relation, keys: readonly Key[], most: number): Promise<ReadonlyMap<string, readonly string[]>>
  /** Whether the caller sees an event, as JSON text: they see its thing after it and now. */
  tells(event: string): Promise<boolean>
  /** The condition of what the caller sees of a collection, which its lists have. */
  visible(collection: Collection): Filter
  /** Whether the caller sees a thing, by its document. */
  sees(resource: Resource, json: string): boolean
  /**
   * When the latest note on each of these things happened, or on a thing that refers to it, by the key as text. It takes
   * one statement.
   */
  lastNoted(resource: Resource, keys: readonly Key[]): Promise<ReadonlyMap<string, string>>
  /** The first regex that this store cannot search for, though RE2 could; undefined if it can answer the filter. */
  unsearchable(filter: Filter): Promise<{ readonly field: string; readonly fault: Reason } | undefined>
  readonly trimmed: {
    /** The position up to which the feed was trimmed; undefined if it is complete. */
    upTo(): Promise<string | undefined>
    /** The number of entries that a thing's history has lost. */
    of(subject: Key): Promise<number>
  }
}

/** The desk that sees everything: that of the service itself, and of everybody if there are no users. */
export const SERVICE = undefined

/** Announces changes in a store, without its contents. */
export interface Changes {
  /** Since the store was opened: the number of commits, the number of changes in them, and of those waiting for one. */
  readonly counts: WriteCounts
  /**
   * Calls the listener when there may be new events, from any process: each event is readable when its call comes.
   * Calls may be merged, and may come for nothing. Ends when the returned function is called.
   */
  onEvents(listener: () => void): () => void
  /** Resolves when the feed shows every event that was written before the call. */
  settled(): Promise<void>
}

export interface WriteCounts {
  readonly commits: number
  readonly changes: number
  readonly waiting: number
}

/** A stored thing: its document, and the values that an answer's headers and links need, including its markings. */
export interface Stored {
  readonly id: Key
  readonly revision: number
  readonly updatedAt: string
  /** When its previous state began; only known for a read. */
  readonly previousAt?: string | null
  /** The document as JSON text. */
  readonly json: string
  readonly [marking: string]: unknown
}

/** A stored event: its entry in the history and the resulting thing, as JSON texts. */
export interface StoredEvent {
  readonly revision: number
  readonly operation: string
  readonly at: string
  readonly entry: string
  readonly doc: string
}

/** A moment in the history of a thing. */
export type Moment = { readonly revision: number } | { readonly asOf: string }

/**
 * The thing as it was then and as it is now. A state is missing before and after its time, or if no event records it.
 */
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
  /** Whether there is something before the page. */
  readonly hasLess: boolean
  /** The first item's values in the sort's fields; undefined on an empty page. */
  readonly first: readonly Value[] | undefined
  /** The last item's values in the sort's fields; undefined on an empty page. */
  readonly last: readonly Value[] | undefined
  readonly total: number | undefined
}

/** The limits of a search. */
export interface SearchOptions {
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
  /** If set, it may take as long as it needs; a stream always may. */
  readonly unbounded?: boolean
  /** Whether nobody needs to know what precedes a page. */
  readonly onlyForward?: boolean
  /** Whether nobody looks into the items: a store may give their bytes joined. */
  readonly joined?: boolean
}
