import type { DatabaseSync } from 'node:sqlite'
import type { Durations } from '../../../monitoring/durations.ts'
import type { Collection } from '../../../queries/collection.ts'
import { looksAtText, type Query, skippedBy, withoutPlace } from '../../../queries/query.ts'
import type { SearchOptions, TextPage } from '../../port/desk.ts'
import { type DriverPages, isTold } from '../../rows/whole-events.ts'
import { withBothEnds } from '../../select/both-ends.ts'
import { asksForGroups } from '../../select/groups/group-text.ts'
import { mayScan, orderOf } from '../../select/order.ts'
import { readBoundedPage, readListedPage, readPackedPage, readPage, readValues } from '../../select/read-page.ts'
import {
  boundedSelect,
  countSelect,
  drivingFields,
  drivingTrees,
  ownDrivers,
  probeSelect,
  type Select,
  select,
} from '../../select/select.ts'
import type { Driver, Strategy } from '../../select/texts/select-text.ts'
import type { Row } from '../../sql/statement.ts'
import { listRunner, selectRunner } from '../connect/statements.ts'
import { sqlite } from '../sql/dialect.ts'
import { eventChain } from '../sql/event-chain.ts'
import { groupPages } from './gathered/group-pages.ts'
import { sortedStream } from './gathered/sorted-stream.ts'
import type { ReaderPool } from './readers.ts'
import { searchPage } from './search-page.ts'
import type { Searches, StepSearch } from './searches.ts'

const BATCH = 1000
/** Rows in a batch of events, which may be large. */
const TOLD_BATCH = 100
/** The most items with texts that the main thread reads: each may be as large as a thing, or larger. */
const mostHere: { readonly [collection: string]: number } = { events: 8, history: 100, commands: 100, deals: 100 }
/** Each leads to up to sixteen events. */
const FEW_MILESTONES = 32
/** The most rows to sort on the main thread. */
const FEW = 500
/** From this number of rows on, reading along the sort's index is faster. */
const MANY = 20_000

/**
 * Pages and streams: on the main thread if an index answers them, in a reader thread if they may scan, and stepwise in
 * separate threads if they search text.
 */
export class SqlitePages implements DriverPages {
  readonly #readers: ReaderPool
  readonly #searches: Searches
  readonly #groups: ReturnType<typeof groupPages>
  readonly #rowsHere: (select: Select) => readonly Row[]
  readonly #listHere: ReturnType<typeof listRunner>

  constructor(db: DatabaseSync, readers: ReaderPool, searches: Searches, durations?: Durations) {
    this.#readers = readers
    this.#searches = searches
    this.#groups = groupPages(searches)
    this.#rowsHere = selectRunner(db, durations)
    this.#listHere = listRunner(db, durations)
  }

  async textPage(collection: Collection, query: Query, options: SearchOptions = {}): Promise<TextPage> {
    if (asksForGroups(query)) return this.#groups.page(collection, query, options)
    if (looksAtText(query.filter)) {
      return this.#searches.search(
        ({ run }) => withBothEnds(collection, query, options, (each) => searchPage(collection, each, run)),
        options,
      )
    }
    return withBothEnds(collection, query, options, (each) => this.#pageOf(collection, each, options.joined))
  }

  stream(collection: Collection, query: Query, options: SearchOptions = {}): AsyncIterable<Uint8Array> {
    if (asksForGroups(query)) return this.#groups.stream(collection, query, options)
    if (!orderOf(collection, query).indexed) {
      return this.#searches.stream((search) => sortedStream(collection, query, search), options)
    }
    return looksAtText(query.filter)
      ? this.#searchStream(collection, query, options)
      : this.#indexedStream(collection, query)
  }

  /** RE2 itself matches, so every pattern can be searched for. */
  async unsearchable(): Promise<undefined> {
    return undefined
  }

  async *#indexedStream(collection: Collection, query: Query): AsyncIterable<Uint8Array> {
    // Reuse the previous batch's buffer: garbage would pile up before it is collected.
    let into: ArrayBuffer | undefined
    const whole = isTold(collection)
    const size = whole ? TOLD_BATCH : BATCH
    const read = (after: Query['after']) => {
      const batch = { ...withoutPlace(query), size: size - 1, ...(after && { after }) }
      return this.#readers.read({ selects: [select(collection, batch, sqlite)], as: 'lines', whole, into })
    }
    let batch = read(query.after)
    for (;;) {
      const result = await batch
      if (!('lines' in result)) throw new Error('a reader gave rows for lines')
      const done = result.count < size
      // Prefetch the next batch while this one is sent; a consumer that stops wastes one batch.
      if (!done) batch = read(readValues(query.sort, result.last))
      // It may fail before anything awaits it.
      batch.catch(() => {})
      if (result.count > 0) yield result.lines
      if (done) return
      into = result.lines.buffer as ArrayBuffer
    }
  }

  /** Without a budget, but in steps like any other search. */
  async *#searchStream(collection: Collection, query: Query, { signal }: SearchOptions) {
    let batch: Query = { ...withoutPlace(query), size: BATCH, ...(query.after && { after: query.after }) }
    for (;;) {
      const find = ({ run }: StepSearch) => searchPage(collection, batch, run)
      const { items, hasMore, last } = await this.#searches.search(find, { signal, unbounded: true })
      if (items.length > 0) yield new TextEncoder().encode(`${items.join('\n')}\n`)
      if (!hasMore || last === undefined) return
      batch = { ...batch, after: last }
    }
  }

  /** The events of a thing lead from one to the next: a filter on many of them is not tried here. */
  #pageOf(collection: Collection, query: Query, joined = false): TextPage | Promise<TextPage> {
    const scans = mayScan(collection, query)
    if (query.size > (mostHere[collection.name] ?? query.size)) {
      return scans ? this.#pageElsewhere(collection, query) : this.#pageSorted(collection, query, 'sorted')
    }
    if (!scans || this.#isShortHistory(collection, query)) return this.#pageHere(collection, query, joined)
    if (collection.name === 'history') return this.#pageElsewhere(collection, query)
    const page =
      ownDrivers(collection, query).length > 0
        ? (this.#pageDriven(collection, query, joined) ?? this.#pageNearby(collection, query, joined))
        : (this.#pageNearby(collection, query, joined) ?? this.#pageDriven(collection, query, joined))
    return page ?? this.#pageElsewhere(collection, query)
  }

  /** Whether the events of a thing are few, also those that a filter leaves out. */
  #isShortHistory(collection: Collection, query: Query): boolean {
    const { anchor } = orderOf(collection, query)
    if (collection.name !== 'history' || anchor === undefined || anchor.values.length > 1) return false
    const milestones = `SELECT 1 FROM events WHERE subject = ? AND ${eventChain.milestone} LIMIT ${FEW_MILESTONES}`
    const text = `SELECT count(*) FROM (${milestones})`
    return Number(this.#rowsHere({ text, values: [String(anchor.values[0])] })[0]?.[0]) < FEW_MILESTONES
  }

  #pageHere(collection: Collection, query: Query, joined: boolean): TextPage {
    const counted = query.count ? this.#rowsHere(countSelect(collection, query, sqlite)) : undefined
    return this.#readHere(collection, query, select(collection, query, sqlite), joined, totalOf(counted))
  }

  /** Rows that are read backwards, or are parts of their texts, are not joined. */
  #readHere(collection: Collection, query: Query, found: Select, joined: boolean, total?: number): TextPage {
    return joined && query.before === undefined && !isTold(collection)
      ? readListedPage(query, this.#listHere(found), total)
      : readPage(query, this.#rowsHere(found), total)
  }

  /** Most filtered pages are complete after a short scan along the sort's index. */
  #pageNearby(collection: Collection, query: Query, joined: boolean): TextPage | undefined {
    const bounded = query.count ? undefined : boundedSelect(collection, query, sqlite)
    return (
      bounded &&
      readBoundedPage(query, bounded, (each) => this.#readHere(collection, query, each, joined), this.#rowsHere)
    )
  }

  /** A selective filter is answered from its own index. */
  #pageDriven(collection: Collection, query: Query, joined: boolean): TextPage | undefined {
    if (query.count || isTold(collection)) return undefined
    const counts = drivingFields(collection, query).map((driving) => ({
      driving,
      count: Number(this.#rowsHere(probeSelect(collection, query, sqlite, driving, FEW))[0]?.[0]),
    }))
    const { driving, count } = least(counts)
    if (driving === undefined || count >= FEW) return undefined
    return this.#readHere(collection, query, select(collection, query, sqlite, { driving }), joined)
  }

  async #pageElsewhere(collection: Collection, query: Query): Promise<TextPage> {
    // Fewer rows than a page skips have nothing for it.
    const isFar = !query.count && skippedBy(query) >= MANY
    const drivers = isFar ? [] : [...drivingFields(collection, query), ...drivingTrees(collection, query)]
    const probes = drivers.map((driver) => probeSelect(collection, query, sqlite, driver, MANY))
    const probed = probes.length === 0 ? [] : await this.#readers.rows(probes)
    const counts = drivers.map((driving, at) => ({ driving, count: Number(probed[at]?.[0]?.[0]) }))
    const { driving, count } = least(counts)
    return this.#pageSorted(collection, query, driving === undefined || count >= MANY ? 'sorted' : { driving })
  }

  async #pageSorted(collection: Collection, query: Query, strategy: Strategy): Promise<TextPage> {
    const selects = [select(collection, query, sqlite, strategy)]
    if (query.count) selects.push(countSelect(collection, query, sqlite, strategy))
    const { first, others } = await this.#readers.packed(selects, isTold(collection))
    return readPackedPage(query, first, totalOf(others[0]))
  }
}

interface DrivingCandidate {
  readonly driving: Driver | undefined
  readonly count: number
}

const least = (candidates: readonly DrivingCandidate[]): DrivingCandidate =>
  candidates.reduce((best, each) => (each.count < best.count ? each : best), {
    driving: undefined,
    count: Number.POSITIVE_INFINITY,
  })

const totalOf = (counted: readonly Row[] | undefined): number | undefined => counted && Number(counted[0]?.[0])
