import type { Collection } from '../../../queries/collection.ts'
import type { Filter, Query, SortTerm } from '../../../queries/query.ts'
import type { DocumentForm } from '../../../representations/document.ts'
import type { ShownList, View, Visit } from '../../../screens/parts/visit.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import type { Description } from '../../contract/description.ts'
import type { Call, Need } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'

/** Which items there are, and what they are all about, if it is one thing. */
export interface CollectionScope {
  readonly scope: Filter
  readonly about?: string
}

/** A collection at an address: its scope, and how its items are shown. */
export interface CollectionAddress {
  readonly collection: Collection
  readonly path: string
  readonly summary: string
  /** The heading of its page, which is said; absent if the summary is. */
  readonly title?: string
  /** Whether its plain table is in English: what it lists are words of the interface. */
  readonly inEnglish?: true
  readonly role?: Need
  readonly scope?: (call: Call) => Promise<CollectionScope | { readonly problem: Problem }>
  readonly sort?: readonly SortTerm[]
  /** Looks again when a page was read: a problem if it may miss something. */
  readonly missed?: (
    query: Query,
    call: Pick<Call, 'desk' | 'schema' | 'service' | 'query'>,
  ) => Promise<Problem | undefined>
  /** Further members of a page's document. */
  readonly members?: (call: Call) => Promise<{ readonly [name: string]: Json }>
  /** Converts an item's stored text to what is shown, if they differ. */
  readonly present?: (json: string, call: Call) => string
  readonly itemAddress?: (item: ShownItem, call: Call) => string | undefined
  readonly forms?: (call: Call) => readonly DocumentForm[]
  /** What people see instead of a table of all fields. */
  readonly page?: (list: ShownList, visit: Visit) => Promise<View | undefined>
  /** Whether that page has a column for each field, so that `fields` chooses among them. */
  readonly showsFields?: true
  /** The order of the page if none is asked for, as `sort` says it. decisions/0046 */
  readonly pageOrder?: string
  /** Answers with a bare list, and with a problem if it is empty. */
  readonly bare?: true
  /** Further description for documents. */
  readonly about?: Partial<Pick<Description, 'group' | 'refuses' | 'parameter'>>
}

export interface ShownItem {
  readonly [name: string]: unknown
}
