import type { Collection } from '../../../../queries/collection.ts'
import type { Filter } from '../../../../queries/query.ts'
import type { Page, SearchOptions } from '../../../port/desk.ts'
import { type GroupQuery, groupSelects, isKept, readGroupPage } from '../../../select/groups/group-text.ts'
import { sqlite } from '../../sql/dialect.ts'
import { runWhole } from '../search-text.ts'
import type { Searches } from '../searches.ts'
import { gatherGroups } from './gather-groups.ts'

export interface GroupPages {
  page(collection: Collection, scope: Filter, query: GroupQuery, options: SearchOptions): Promise<Page>
  stream(collection: Collection, scope: Filter, query: GroupQuery, options: SearchOptions): AsyncIterable<Uint8Array>
}

/** Groups are computed in steps, like searches; those that totals answer are simply read. */
export function groupPages(searches: Searches): GroupPages {
  return {
    page(collection, scope, query, options) {
      return searches.search(async (search) => {
        if (!isKept(collection, scope, query, sqlite)) {
          return (await gatherGroups(collection, scope, query, search)).page()
        }
        return readGroupPage(query, await runWhole(search.run, groupSelects(collection, scope, query, sqlite)))
      }, options)
    },
    stream(collection, scope, query, options) {
      return searches.stream(async function* (search) {
        yield* (await gatherGroups(collection, scope, query, search)).batches()
      }, options)
    },
  }
}
