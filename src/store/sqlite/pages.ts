import type { DatabaseSync } from 'node:sqlite'
import type { Collection, Field } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { type Filter, looksAtText, type Query } from '../../queries/query.ts'
import type { Page, Patience, Store } from '../port/store.ts'
import { mayScan } from '../sql/may-scan.ts'
import { type Row, readBoundedPage, readPage, readValues } from '../sql/read-page.ts'
import { type RunStep, searchPage } from '../sql/search.ts'
import { boundedSelect, countSelect, leadersOf, probeSelect, type Select, select } from '../sql/select.ts'
import type { ReadJob } from './reader.ts'
import type { Readers } from './readers.ts'
import type { Searches } from './searches.ts'
import { selectRunner } from './statements.ts'

const BATCH = 1000
/** Rows that may be sorted on the thread that answers everyone. */
const FEW = 500
/** Rows beyond which it is better to walk the sort. */
const MANY = 20_000

/**
 * Pages and streams: here where an index answers them, in a reader's thread where they may scan, and in small steps in
 * a thread of their own where they look at text.
 */
export function sqlitePages(
  db: DatabaseSync,
  readers: Readers,
  searches: Searches,
): Pick<Store, 'page' | 'stream' | 'unsearchable'> {
  const rowsHere: (select: Select) => readonly Row[] = selectRunner(db)

  return {
    async page(name, scope, query, patience = {}) {
      const collection = collections[name]
      if (looksAtText(query.filter)) {
        return searches.search((run) => searchPage(collection, scope, query, run), patience)
      }
      if (!mayScan(collection, scope, query)) return pageHere(collection, scope, query)
      return (
        pageNearby(collection, scope, query) ??
        pageLed(collection, scope, query) ??
        (await pageElsewhere(collection, scope, query))
      )
    },
    async *stream(name, scope, query, patience = {}) {
      const collection = collections[name]
      if (looksAtText(query.filter)) return yield* searchStream(collection, scope, query, patience)
      // What one batch was in serves the next but one: left to the collector, it would pile up in front of it.
      let into: ArrayBuffer | undefined
      const read = (after: Query['after']) => {
        const { page: _page, ...rest } = query
        const batch = { ...rest, size: BATCH - 1, ...(after && { after }) }
        return readers.read({ selects: [select(collection, scope, batch, 'sqlite')], lines: true, into })
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
        into = result.lines.buffer as ArrayBuffer
      }
    },
    // RE2 itself is asked.
    unsearchable: async () => undefined,
  }

  /** Has no budget, but takes turns like any other search. */
  async function* searchStream(collection: Collection, scope: Filter, query: Query, { signal }: Patience) {
    const { page: _page, ...rest } = query
    let batch: Query = { ...rest, size: BATCH }
    for (;;) {
      const find = (run: RunStep) => searchPage(collection, scope, batch, run)
      const { items, hasMore, last } = await searches.search(find, { signal, unbounded: true })
      if (items.length > 0) yield new TextEncoder().encode(`${items.join('\n')}\n`)
      if (!hasMore || last === undefined) return
      batch = { ...batch, after: last }
    }
  }

  function pageHere(collection: Collection, scope: Filter, query: Query): Page {
    const rows = rowsHere(select(collection, scope, query, 'sqlite'))
    const counted = query.count ? rowsHere(countSelect(collection, scope, query, 'sqlite')) : undefined
    return readPage(collection, query, rows, totalOf(counted))
  }

  /** Most filtered pages are full after a short look along the sort's index. */
  function pageNearby(collection: Collection, scope: Filter, query: Query): Page | undefined {
    const bounded = query.count ? undefined : boundedSelect(collection, scope, query, 'sqlite')
    return bounded && readBoundedPage(collection, query, bounded, rowsHere)
  }

  /** A filter that leaves few rows is answered from its own index. */
  function pageLed(collection: Collection, scope: Filter, query: Query): Page | undefined {
    if (query.count) return undefined
    const counts = leadersOf(collection, scope, query).map((led) => ({
      led,
      count: Number(rowsHere(probeSelect(collection, scope, query, 'sqlite', led, FEW))[0]?.[0]),
    }))
    const { led, count } = least(counts)
    if (led === undefined || count >= FEW) return undefined
    return readPage(collection, query, rowsHere(select(collection, scope, query, 'sqlite', { led })))
  }

  async function pageElsewhere(collection: Collection, scope: Filter, query: Query): Promise<Page> {
    const leaders = leadersOf(collection, scope, query)
    const probes = leaders.map((led) => probeSelect(collection, scope, query, 'sqlite', led, MANY))
    const probed = probes.length === 0 ? [] : await rowsElsewhere(probes)
    const { led, count } = least(leaders.map((led, at) => ({ led, count: Number(probed[at]?.[0]?.[0]) })))
    const way = led === undefined || count >= MANY ? 'sorted' : { led }
    const selects = [select(collection, scope, query, 'sqlite', way)]
    if (query.count) selects.push(countSelect(collection, scope, query, 'sqlite'))
    const [rows = [], counted] = await rowsElsewhere(selects)
    return readPage(collection, query, rows, totalOf(counted))
  }

  async function rowsElsewhere(selects: ReadJob['selects']): Promise<readonly (readonly Row[])[]> {
    const result = await readers.read({ selects, lines: false })
    if (!('rows' in result)) throw new Error('a reader gave lines for rows')
    return result.rows
  }
}

interface Leader {
  readonly led: Field | undefined
  readonly count: number
}

const least = (leaders: readonly Leader[]): Leader =>
  leaders.reduce((best, each) => (each.count < best.count ? each : best), {
    led: undefined,
    count: Number.POSITIVE_INFINITY,
  })

const totalOf = (counted: readonly Row[] | undefined): number | undefined => counted && Number(counted[0]?.[0])
