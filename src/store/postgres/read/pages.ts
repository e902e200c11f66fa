import type { Key } from '../../../model/declaration/resource.ts'
import type { Collection } from '../../../queries/collection.ts'
import { operators } from '../../../queries/operators.ts'
import { type Filter, leavesOf, looksAtText, type Query, withoutPlace } from '../../../queries/query.ts'
import { reason } from '../../../values/faults/fault.ts'
import type { SearchOptions, TextPage } from '../../port/desk.ts'
import type { DriverPages } from '../../rows/whole-events.ts'
import { withBothEnds } from '../../select/both-ends.ts'
import { asksForGroups, type GroupQuery, groupSelects, readGroupPage } from '../../select/groups/group-text.ts'
import { mayScan, orderOf } from '../../select/order.ts'
import { readPage, readValues } from '../../select/read-page.ts'
import { countSelect, ownDrivers, probeSelect, type Select, select } from '../../select/select.ts'
import { tableOf } from '../../select/tables.ts'
import type { Strategy } from '../../select/texts/select-text.ts'
import type { Row, Statement } from '../connect/connection.ts'
import type { Connections } from '../connect/connections.ts'
import { isBadPattern } from '../connect/faults.ts'
import { postgres } from '../sql/dialect.ts'
import { translateRegex } from '../sql/regex.ts'
import { type GramStatistics, gramStatistics } from './gram-statistics.ts'
import { amongRows, amongSelect, ledKeys, nearbyRows, type Run } from './led-search.ts'

const BATCH = 2000
const MOST_STATEMENTS = 400
/** The most rows that are looked up by their keys and need no plan. */
const FEW = 2000

/** Pages and streams. Scans and text searches run on separate connections. */
export class PostgresPages implements DriverPages {
  readonly #connections: Connections
  readonly #prepared = statementNames()
  readonly #statistics: ReturnType<typeof gramStatistics>

  constructor(connections: Connections) {
    this.#connections = connections
    this.#statistics = gramStatistics(connections.scan)
  }

  textPage(collection: Collection, query: Query, options: SearchOptions = {}): Promise<TextPage> {
    if (asksForGroups(query)) return this.#groupPage(collection, query, options)
    return withBothEnds(collection, query, options, (each) => this.#pageOf(collection, each, options))
  }

  async *stream(collection: Collection, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array> {
    const run = looksAtText(query.filter) ? this.#searching({ ...options, unbounded: true }) : this.#reading(true)
    if (asksForGroups(query) || !orderOf(collection, query).indexed) {
      const whole = await this.#wholeSelect(run, collection, query)
      for await (const rows of this.#connections.results(whole, options)) yield linesOf(rows)
      return
    }
    let batch = this.#readBatch(run, collection, query, query.after)
    for (;;) {
      const rows = await batch
      const done = rows.length < BATCH
      const last = rows.at(-1)
      // Prefetch the next batch while this one is sent; a consumer that stops wastes one batch.
      if (!done && last !== undefined) {
        batch = this.#readBatch(run, collection, query, readValues(query.sort, last.slice(1)))
        // It may fail before anything awaits it.
        batch.catch(() => {})
      }
      if (last !== undefined) yield linesOf(rows)
      if (done) return
    }
  }

  async unsearchable(filter: Filter): ReturnType<DriverPages['unsearchable']> {
    for (const { field, operator, values } of leavesOf(filter)) {
      if (operators[operator].compares !== 'text') continue
      for (const value of values) {
        if (await this.#isTooComplex(String(value))) return { field: field.name, fault: reason('too-complex') }
      }
    }
    return undefined
  }

  async #pageOf(collection: Collection, query: Query, options: SearchOptions) {
    const scans = mayScan(collection, query)
    const searches = looksAtText(query.filter)
    const run = searches ? this.#searching(options) : this.#reading(scans)
    const near =
      searches && !query.count ? await nearbyRows(collection, query, this.#statisticsOf(collection), run) : undefined
    if (near !== undefined) return readPage(query, near)
    const keys = await this.#keysLedTo(run, collection, query)
    const strategy = scans && keys === undefined ? await this.#strategyFor(run, collection, query) : 'sorted'
    const rows = run(selectAmong(keys, collection, query, strategy))
    if (!query.count) return readPage(query, await rows)
    const counting = keys ? amongSelect(collection, query, keys, 'count') : countSelect(collection, query, postgres)
    const [page, [counted]] = await Promise.all([rows, run(counting)])
    return readPage(query, page, Number(counted?.[0]))
  }

  /** The planner does not know how many rows the index of an added field leads to. */
  async #strategyFor(run: Run, collection: Collection, query: Query): Promise<Strategy> {
    const drivers = ownDrivers(collection, query)
    const probed = await Promise.all(
      drivers.map((driver) => run(probeSelect(collection, query, postgres, driver, FEW))),
    )
    const driving = drivers.find((_, at) => Number(probed[at]?.[0]?.[0]) < FEW)
    return driving === undefined ? 'planned' : { driving }
  }

  async #groupPage(collection: Collection, query: GroupQuery, options: SearchOptions) {
    const keys = await this.#keysLedTo(this.#searching(options), collection, query)
    const selects = groupSelects(collection, query, postgres, keys && amongRows(keys))
    // Not prepared: groups have many shapes, and cost more than the preparation.
    return readGroupPage(
      query,
      await Promise.all(selects.map(({ text, values }) => this.#connections.search({ text }, values, options))),
    )
  }

  /** Everything that a stream returns, in order. */
  async #wholeSelect(run: Run, collection: Collection, query: Query): Promise<Select> {
    const whole = { ...withoutPlace(query), size: MOST_ROWS, count: false, ...(query.after && { after: query.after }) }
    const keys = await this.#keysLedTo(run, collection, whole)
    if (!asksForGroups(whole)) return selectAmong(keys, collection, whole, 'planned')
    return groupSelects(collection, whole, postgres, keys && amongRows(keys))[0]
  }

  async #readBatch(run: Run, collection: Collection, query: Query, after: Query['after']) {
    const batch = { ...withoutPlace(query), size: BATCH - 1, ...(after && { after }) }
    return run(selectAmong(await this.#keysLedTo(run, collection, batch), collection, batch))
  }

  async #keysLedTo(run: Run, collection: Collection, query: Query) {
    return looksAtText(query.filter) ? ledKeys(collection, query, this.#statisticsOf(collection), run) : undefined
  }

  #statisticsOf(collection: Collection): GramStatistics {
    return this.#statistics(tableOf(collection, postgres).name)
  }

  #reading(scans: boolean): Run {
    const run = scans ? this.#connections.scan : this.#connections.read
    return ({ text, values }) => run(this.#prepared(text), values)
  }

  /** A search, until its client leaves. */
  #searching(options?: SearchOptions): Run {
    return ({ text, values }) => this.#connections.search(this.#prepared(text), values, options)
  }

  /** PostgreSQL has its own limits on the size of a pattern. */
  async #isTooComplex(pattern: string): Promise<boolean> {
    try {
      await this.#connections.search(TRY_PATTERN, [translateRegex(pattern)])
      return false
    } catch (cause) {
      if (isBadPattern(cause)) return true
      throw cause
    }
  }
}

/** The page among those rows, or among all where nothing leads to them. */
const selectAmong = (
  keys: readonly Key[] | undefined,
  collection: Collection,
  query: Query,
  strategy?: Strategy,
): Select =>
  keys === undefined ? select(collection, query, postgres, strategy) : amongSelect(collection, query, keys, 'rows')

/** More than there can be. */
const MOST_ROWS = 2 ** 51

const linesOf = (rows: readonly Row[]): Uint8Array =>
  new TextEncoder().encode(`${rows.map(([json]) => json).join('\n')}\n`)

const TRY_PATTERN = { name: 'try-pattern', text: `SELECT '' COLLATE "C" ~ $1::text` }

/** There is one text for each shape of query; only the first ones are prepared, to bound the server's memory. */
function statementNames(): (text: string) => Statement {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return { name: known, text }
    if (names.size >= MOST_STATEMENTS) return { text }
    const name = `page-${names.size}`
    names.set(text, name)
    return { name, text }
  }
}
