import type { Resource } from '../../../model/declaration/schema.ts'
import type { Collection } from '../../../queries/collection.ts'
import type { Filter, Query, SortTerm } from '../../../queries/query.ts'
import type { Json } from '../../../values/json/json.ts'
import type { Description } from '../../contract/description.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Need } from '../../contract/route.ts'

/** The items at the address, and the thing that they are all about, if it is one. */
export interface CollectionScope {
  readonly scope: Filter
  readonly about?: string
}

/** A collection at an address: its scope, and how its items are shown. */
export interface CollectionAddress {
  readonly collection: Collection
  readonly path: string
  readonly summary: string
  /** The heading of its page, which is translated; the summary by default. */
  readonly title?: string
  /** Whether its plain table is in English, because it lists words of the interface. */
  readonly inEnglish?: true
  readonly role?: Need
  readonly scope?: (call: Call) => Promise<CollectionScope | { readonly problem: Problem }>
  readonly sort?: readonly SortTerm[]
  /** A check after a page was read: returns a problem if it may miss something. */
  readonly missed?: (
    query: Query,
    call: Pick<Call, 'desk' | 'schema' | 'service' | 'query'>,
  ) => Promise<Problem | undefined>
  /** Further members of a page's document. */
  readonly members?: (call: Call) => Promise<{ readonly [name: string]: Json }>
  /** Converts an item's stored text to the shown one, if they differ. */
  readonly present?: (json: string, call: Call) => string
  readonly itemAddress?: (item: ShownItem, call: Call) => string | undefined
  /** The screen for people, instead of a table of all fields, if there is one of this name. */
  readonly screen?: string
  /** The listed things, or those whose history is listed. */
  readonly of?: Resource
  /** Answers with a bare list, and with a problem if it is empty. */
  readonly bare?: true
  /** Further description for documents. */
  readonly about?: Partial<Pick<Description, 'group' | 'refuses' | 'parameter'>>
}

export interface ShownItem {
  readonly [name: string]: unknown
}
