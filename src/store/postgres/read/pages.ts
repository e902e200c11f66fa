import type { Collection } from '../../../queries/collection.ts'
import { operators } from '../../../queries/operators.ts'
import { leavesOf, looksAtText, type Query, withoutPlace } from '../../../queries/query.ts'
import { type Reason, reason } from '../../../values/faults/fault.ts'
import type { SearchOptions } from '../../port/desk.ts'
import type { DriverPages } from '../../rows/whole-events.ts'
import { withBothEnds } from '../../select/both-ends.ts'
import { tableOf } from '../../select/columns.ts'
import { asksForGroups, type GroupQuery, groupSelects, readGroupPage } from '../../select/groups/group-text.ts'
import { mayScan, orderOf } from '../../select/order.ts'
import { readPage, readValues } from '../../select/read-page.ts'
import { countSelect, type Select, select } from '../../select/select.ts'
import type { Row, Statement } from '../connect/connection.ts'
import type { Connections } from '../connect/connections.ts'
import { isBadPattern } from '../connect/faults.ts'
import { postgres } from '../sql/dialect.ts'
import { translateRegex } from '../sql/regex.ts'
import { gramStatistics } from './gram-statistics.ts'
import { amongRows, amongSelect, ledKeys, nearbyRows } from './led-search.ts'

const BATCH = 2000
const MOST_STATEMENTS = 400

/** Pages and streams. Scans and text searches run on separate connections. */
export function postgresPages({ read, scan, search, results }: Connections): DriverPages {
  const prepared = statementNames()
  const statistics = gramStatistics(scan)
  const statisticsOf = (collection: Collection) => statistics(tableOf(collection, postgres).name)

  return {
    textPage(collection, query, options = {}) {
      if (asksForGroups(query)) return groupPage(collection, query, options)
      return withBothEnds(collection, query, options, (each) => pageOf(collection, each, options))
    },

    async *stream(collection, query, options) {
      const run = looksAtText(query.filter) ? searching({ ...options, unbounded: true }) : scan
      if (asksForGroups(query) || !orderOf(collection, query.filter, query).indexed) {
        const whole = await wholeSelect(run, collection, query)
        for await (const rows of results(whole, options)) yield linesOf(rows)
        return
      }
      let batch = readBatch(run, collection, query, query.after)
      for (;;) {
        const rows = await batch
        const done = rows.length < BATCH
        const last = rows.at(-1)
        // Prefetch the next batch while this one is sent; a consumer that stops wastes one batch.
        if (!done && last !== undefined) {
          batch = readBatch(run, collection, query, readValues(query.sort, last.slice(1)))
          // It may fail before anything awaits it.
          batch.catch(() => {})
        }
        if (last !== undefined) yield linesOf(rows)
        if (done) return
      }
    },

    async unsearchable(filter) {
      for (const { field, operator, values } of leavesOf(filter)) {
        if (operators[operator].compares !== 'text') continue
        for (const value of values) {
          const fault = await tooComplex(String(value))
          if (fault !== undefined) return { field: field.name, fault }
        }
      }
      return undefined
    },
  }

  async function pageOf(collection: Collection, query: Query, options: SearchOptions | undefined) {
    const scans = mayScan(collection, query)
    const searches = looksAtText(query.filter)
    const run = searches ? searching(options) : scans ? scan : read
    const rowsOf = ({ text, values }: Select) => run(prepared(text), values)
    const near =
      searches && !query.count ? await nearbyRows(collection, query, statisticsOf(collection), rowsOf) : undefined
    if (near !== undefined) return readPage(query, near)
    const keys = searches ? await ledKeys(collection, query, statisticsOf(collection), rowsOf) : undefined
    const rows = rowsOf(
      keys === undefined
        ? select(collection, query, postgres, scans ? 'planned' : 'sorted')
        : amongSelect(collection, query, keys, 'rows'),
    )
    if (!query.count) return readPage(query, await rows)
    const counting =
      keys === undefined ? countSelect(collection, query, postgres) : amongSelect(collection, query, keys, 'count')
    const [page, [counted]] = await Promise.all([rows, rowsOf(counting)])
    return readPage(query, page, Number(counted?.[0]))
  }

  async function groupPage(collection: Collection, query: GroupQuery, options?: SearchOptions) {
    const run = searching(options)
    const rows = await groupedRows(run, collection, query)
    const selects = groupSelects(collection, query, postgres, rows)
    // Not prepared: groups have many shapes, and cost more than the preparation.
    return readGroupPage(query, await Promise.all(selects.map(({ text, values }) => run({ text }, values))))
  }

  /** Everything that a stream returns, in order. */
  async function wholeSelect(run: typeof scan, collection: Collection, query: Query): Promise<Select> {
    const whole = { ...withoutPlace(query), size: MOST_ROWS, count: false, ...(query.after && { after: query.after }) }
    if (asksForGroups(whole)) {
      return groupSelects(collection, whole, postgres, await groupedRows(run, collection, whole))[0]
    }
    const rowsOf = ({ text, values }: Select) => run(prepared(text), values)
    const keys = looksAtText(query.filter)
      ? await ledKeys(collection, whole, statisticsOf(collection), rowsOf)
      : undefined
    return keys === undefined
      ? select(collection, whole, postgres, 'planned')
      : amongSelect(collection, whole, keys, 'rows')
  }

  async function groupedRows(run: typeof scan, collection: Collection, query: Query) {
    if (!looksAtText(query.filter)) return undefined
    const rowsOf = ({ text, values }: Select) => run(prepared(text), values)
    const keys = await ledKeys(collection, query, statisticsOf(collection), rowsOf)
    return keys && amongRows(keys)
  }

  /** A search, until its client leaves. */
  function searching(options: SearchOptions | undefined): typeof scan {
    return (statement, values) => search(statement, values, options)
  }

  async function readBatch(run: typeof scan, collection: Collection, query: Query, after: Query['after']) {
    const batch = { ...withoutPlace(query), size: BATCH - 1, ...(after && { after }) }
    const rowsOf = ({ text, values }: Select) => run(prepared(text), values)
    const keys = looksAtText(query.filter)
      ? await ledKeys(collection, batch, statisticsOf(collection), rowsOf)
      : undefined
    return rowsOf(
      keys === undefined ? select(collection, batch, postgres) : amongSelect(collection, batch, keys, 'rows'),
    )
  }

  /** PostgreSQL has its own limits on the size of a pattern. */
  async function tooComplex(pattern: string): Promise<Reason | undefined> {
    try {
      await search(TRY_PATTERN, [translateRegex(pattern)])
      return undefined
    } catch (cause) {
      if (isBadPattern(cause)) return reason('too-complex')
      throw cause
    }
  }
}

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
