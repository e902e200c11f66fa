import type { Told } from '../../languages/tell.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { Command, Intent } from '../../model/intent/intent.ts'
import type { StoredUser } from '../../model/nouns/user/user.ts'
import type { Webhook } from '../../model/nouns/webhook/webhook.ts'
import type { Filter } from '../../queries/query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { Document } from '../../representations/document.ts'
import type { DataObject } from '../../representations/read-document.ts'
import type { Stored, StoredEvent, TextPage } from '../../store/port/desk.ts'
import type { Reason } from '../../values/faults/fault.ts'

/**
 * The view of an answer for people, instead of a plain table: the name of a screen, and what it shows in addition to
 * the document. It is used only if HTML is sent.
 */
export type Shown =
  | { readonly screen: 'list'; readonly name: string; readonly list: ShownList; readonly of?: Resource }
  /** A plain table of things, with the form for another one. */
  | { readonly screen: 'creation'; readonly resource: Resource }
  | { readonly screen: 'thing'; readonly resource: Resource; readonly thing: Stored }
  | { readonly screen: 'past'; readonly resource: Resource; readonly thing: Stored; readonly present: Stored }
  | { readonly screen: 'actions'; readonly resource: Resource; readonly thing: Stored; readonly actions: ShownActions }
  | { readonly screen: 'action'; readonly operation: Operation; readonly thing: Stored }
  | { readonly screen: 'entry'; readonly resource: Resource; readonly thing: Stored; readonly event: StoredEvent }
  | { readonly screen: 'command'; readonly command: Command }
  | { readonly screen: 'search'; readonly search: ShownSearch }
  | { readonly screen: 'user'; readonly user: StoredUser; readonly once?: ShownOnce }
  | { readonly screen: 'person'; readonly person: ShownPerson }
  | { readonly screen: 'webhook' | 'import' }
  /** A thing that the audit tells of, as its declaration has it; the document is what it shows. */
  | { readonly screen: 'audited'; readonly resource: Resource }
  /** The document is the test; this is the webhook. */
  | { readonly screen: 'webhook test'; readonly webhook: Document }
  | { readonly screen: 'delivery'; readonly webhook: Webhook }
  | { readonly screen: 'problems' | 'problem type' }

/** The view of a problem for people, instead of its usual page: for example a refused form with its values. */
export type ShownProblem =
  | { readonly screen: 'deleted'; readonly resource: Resource; readonly thing: Stored }
  | { readonly screen: 'write'; readonly intent: Intent; readonly operation: Operation | undefined }
  | { readonly screen: 'audited form'; readonly operation: Operation }
  | { readonly screen: 'user form' | 'webhook form' | 'import form' | 'search form' }

/** A slice of a collection for its screen. */
export interface ShownList extends Pick<TextPage, 'items' | 'hasMore' | 'total'> {
  readonly links: PageLinks
  readonly parameters: readonly Parameter[]
  /** The filter of the whole list. */
  readonly filter: Filter
  /** The fields to show, in order, if the address names some. */
  readonly fields?: readonly string[] | undefined
  /** The order of the page if the address names none. */
  readonly order?: string | undefined
}

/** The addresses of a slice of a list and its neighbours. */
export interface PageLinks {
  /** Absent if the query, sent as content of a QUERY, is too long for an address. */
  readonly self?: string
  readonly first?: string
  readonly prev?: string
  readonly next?: string
}

/** Each operation, and why it is not allowed now; undefined if it is. */
type ShownActions = readonly { readonly operation: Operation; readonly whyNot: Reason | Told | undefined }[]

/** The results of a search, best first. */
export interface ShownSearch {
  readonly text: string
  readonly found: readonly { readonly type: string; readonly name: string; readonly href: string }[]
  readonly documents: ReadonlyMap<object, DataObject>
  readonly didYouMean?: string
}

/** New values that are shown only once: links, and the secret of a key. */
export interface ShownOnce {
  readonly invitation?: string
  readonly calendar?: string
  readonly secret?: string
}

export interface ShownPerson {
  readonly name: string
  readonly fullName: string | null
  /** Whether a user has the name. */
  readonly isUser: boolean
}
