import type { Collection } from '../../../queries/collection.ts'
import { type Filter, looksAtText } from '../../../queries/query.ts'
import type { Page, SearchOptions } from '../../port/store.ts'
import { type GroupQuery, groupSelects, readGroupPage } from '../../sql/select/group-text.ts'
import { sqlite } from '../dialect.ts'
import type { ReaderPool } from './readers.ts'
import { findRowIds } from './search-page.ts'
import { foundRows } from './search-text.ts'
import type { Searches } from './searches.ts'

/** Each batch groups all rows again, so there are few. */
const BATCH = 20_000

export interface GroupPages {
  page(collection: Collection, scope: Filter, query: GroupQuery, options: SearchOptions): Promise<Page>
  stream(collection: Collection, scope: Filter, query: GroupQuery, options: SearchOptions): AsyncIterable<Uint8Array>
}

/** Groups are made in reader threads. What looks at text is first searched for, in steps like every search. */
export function groupPages(readers: ReaderPool, searches: Searches): GroupPages {
  return {
    async page(collection, scope, query, options) {
      const rows = await rowsOf(collection, scope, query, options)
      const selects = groupSelects(collection, scope, query, sqlite, rows)
      return readGroupPage(query, await readers.rows(selects))
    },
    async *stream(collection, scope, query, { signal }) {
      const rows = await rowsOf(collection, scope, query, { signal, unbounded: true })
      let into: ArrayBuffer | undefined
      for (let skip = 0; ; skip += BATCH) {
        const batch: GroupQuery = { ...query, skip, size: BATCH - 1, count: false }
        const [select] = groupSelects(collection, scope, batch, sqlite, rows)
        const result = await readers.read({ selects: [select], lines: true, into })
        if (!('lines' in result)) throw new Error('a reader gave rows for lines')
        if (result.count > 0) yield result.lines
        if (result.count < BATCH) return
        into = result.lines.buffer as ArrayBuffer
      }
    },
  }

  async function rowsOf(collection: Collection, scope: Filter, query: GroupQuery, options: SearchOptions) {
    if (!looksAtText(query.filter)) return undefined
    return foundRows(await searches.search((run) => findRowIds(collection, scope, query, run), options))
  }
}
