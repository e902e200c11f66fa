import { readPage, searchFault } from '../../http/ask/read-page.ts'
import { emptyList, faultsProblem, type Refused } from '../../http/contract/problems/problem.ts'
import { cursorsOf, type PageCursors } from '../../http/respond/page-links.ts'
import type { Collection } from '../../queries/collection.ts'
import { withCaller } from '../../queries/parse/caller.ts'
import { parseQuery, type QueryOptions } from '../../queries/parse/parse-query.ts'
import type { Filter, Query } from '../../queries/query.ts'
import type { QueryString } from '../../queries/query-string.ts'
import type { TextPage } from '../../store/port/desk.ts'
import type { DoorCall } from '../door.ts'

/** A page with what it was asked for and where it goes on. */
export interface ListPage {
  readonly query: Query
  readonly page: TextPage
  readonly cursors: PageCursors
}

interface ListOptions extends QueryOptions {
  /** The items that there are. */
  readonly scope?: Filter
}

/** A page of a collection, asked for as in an address: `queryOf` and `readQueryMembers` write such queries. */
export async function readList(
  collection: Collection,
  sent: QueryString,
  call: DoorCall,
  { scope, ...options }: ListOptions = {},
): Promise<ListPage | Refused> {
  const parsed = withCaller(parseQuery(collection, sent, options), call.caller?.user ?? null)
  if ('faults' in parsed) return { problem: faultsProblem(sent, parsed.faults) }
  const { query } = parsed
  const fault = await searchFault(query, (field) => field, call)
  if (fault !== undefined) return { problem: faultsProblem(sent, [fault]) }
  const read = await readPage({ collection, ...(scope && { scope }) }, query, call)
  if ('problem' in read) return read
  const { page } = read
  if (page.items.length === 0 && query.refuseEmpty) return { problem: emptyList(query) }
  return { query, page, cursors: query.groups === undefined ? cursorsOf(collection, query, page) : {} }
}
