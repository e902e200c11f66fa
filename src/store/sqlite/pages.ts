import type { DatabaseSync } from 'node:sqlite'
import type { Collection } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Filter, Query } from '../../queries/query.ts'
import { mayScan } from '../may-scan.ts'
import { type Row, readBoundedPage, readPage, readValues } from '../read-page.ts'
import { boundedSelect, countSelect, type Select, select } from '../select.ts'
import { registerRegex } from '../sqlite-regex.ts'
import type { Page, Store } from '../store.ts'
import type { Readers } from './readers.ts'
import { statementCache } from './statements.ts'

const BATCH = 2000

/** Pages and streams: here where an index answers them, in a reader's thread where they may scan. */
export function sqlitePages(db: DatabaseSync, readers: Readers): Pick<Store, 'page' | 'stream'> {
  registerRegex(db)
  const statement = statementCache(db)
  const rowsHere = ({ text, values }: Select): readonly Row[] =>
    statement(text).all(...bindable(values)) as unknown as Row[]

  return {
    async page(name, scope, query) {
      const collection = collections[name]
      if (!mayScan(collection, scope, query)) return pageHere(collection, scope, query)
      return pageNearby(collection, scope, query) ?? (await pageElsewhere(collection, scope, query))
    },
    async *stream(name, scope, query) {
      const collection = collections[name]
      const read = (after: Query['after']) => {
        const { page: _page, ...rest } = query
        const batch = { ...rest, size: BATCH - 1, ...(after && { after }) }
        return readers.read({ selects: [bound(select(collection, scope, batch, 'sqlite'))], lines: true })
      }
      let batch = read(query.after)
      for (;;) {
        const result = await batch
        if (!('lines' in result)) throw new Error('a reader gave rows for lines')
        const done = result.count < BATCH
        // The next batch is read while this one is on its way; a consumer that stops has cost one batch.
        if (!done) batch = read(readValues(collection, query.sort, result.last ?? []))
        if (result.count > 0) yield result.lines
        if (done) return
      }
    },
  }

  function pageHere(collection: Collection, scope: Filter, query: Query): Page {
    const rows = rowsHere(select(collection, scope, query, 'sqlite'))
    const counted = query.count ? rowsHere(countSelect(collection, scope, query, 'sqlite')) : undefined
    return readPage(collection, query, rows, totalOf(counted))
  }

  /** Most filtered pages are full after a short look along the sort's index. */
  function pageNearby(collection: Collection, scope: Filter, query: Query): Page | undefined {
    const bounded = query.count ? undefined : boundedSelect(collection, scope, query, 'sqlite')
    return bounded && readBoundedPage(collection, query, rowsHere(bounded))
  }

  async function pageElsewhere(collection: Collection, scope: Filter, query: Query): Promise<Page> {
    const selects = [bound(select(collection, scope, query, 'sqlite', 'free'))]
    if (query.count) selects.push(bound(countSelect(collection, scope, query, 'sqlite')))
    const result = await readers.read({ selects, lines: false })
    if (!('rows' in result)) throw new Error('a reader gave lines for rows')
    const [rows = [], counted] = result.rows
    return readPage(collection, query, rows, totalOf(counted))
  }
}

const totalOf = (counted: readonly Row[] | undefined): number | undefined => counted && Number(counted[0]?.[0])

const bound = ({ text, values }: Select) => ({ text, values: bindable(values) })

/** SQLite has no booleans. */
const bindable = (values: Select['values']): (string | number | null)[] =>
  values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
