import type { Collection } from '../../../../queries/collection.ts'
import type { Page, SearchOptions } from '../../../port/desk.ts'
import { type GroupQuery, groupSelects, isKept, readGroupPage } from '../../../select/groups/group-text.ts'
import { sqlite } from '../../sql/dialect.ts'
import { runWhole } from '../search-text.ts'
import type { Searches } from '../searches.ts'
import { gatherGroups } from './gather-groups.ts'

/** Groups are computed in steps, like searches; those that totals answer are simply read. */
export function groupPages(searches: Searches) {
  return {
    page(collection: Collection, query: GroupQuery, options: SearchOptions): Promise<Page> {
      return searches.search(async (search) => {
        if (!isKept(collection, query, sqlite)) {
          return (await gatherGroups(collection, query, search)).page()
        }
        return readGroupPage(query, await runWhole(search.run, groupSelects(collection, query, sqlite)))
      }, options)
    },
    stream(collection: Collection, query: GroupQuery, options: SearchOptions): AsyncIterable<Uint8Array> {
      return searches.stream(async function* (search) {
        if (!isKept(collection, query, sqlite)) {
          return yield* (await gatherGroups(collection, query, search)).batches()
        }
        // A total has few rows: all of its groups are read at once.
        const [groups] = groupSelects(collection, { ...query, count: false, size: EVERY }, sqlite)
        const [rows = []] = await runWhole(search.run, [groups])
        if (rows.length > 0) yield rows.map(([item]) => String(item))
      }, options)
    },
  }
}

const EVERY = 0xffff_ffff
