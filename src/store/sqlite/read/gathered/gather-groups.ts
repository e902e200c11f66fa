import type { Collection } from '../../../../queries/collection.ts'
import { skippedBy } from '../../../../queries/query.ts'
import type { Page } from '../../../port/desk.ts'
import { columnsOf, groupOrder, itemOf, partsOf, rowsByValue, valuesOf } from '../../../select/groups/group-columns.ts'
import { type GroupQuery, readGroupPage, totals } from '../../../select/groups/group-text.ts'
import { prepare } from '../../../select/select.ts'
import type { AggregatePart } from '../../../sql/dialect.ts'
import { raw, type Sql, sql } from '../../../sql/sql.ts'
import { sqlite } from '../../sql/dialect.ts'
import { newPace } from '../pace.ts'
import { runWhole } from '../search-text.ts'
import type { StepSearch } from '../searches.ts'
import { alongRange, rangeOf } from './along-range.ts'
import { eachMatch, type StepStatement } from './each-match.ts'
import { newTable, sortedTable } from './sorted-table.ts'

/** The number of groups that are sent at once. */
const BATCH = 2000

/**
 * Computes groups in steps: each merges the groups of its rows into a temporary table, which is then sorted in steps.
 */
export async function gatherGroups(
  collection: Collection,
  query: GroupQuery,
  { run, temporary }: Pick<StepSearch, 'run' | 'temporary'>,
) {
  const { groups, sort, count, size } = query
  const columns = columnsOf({ collection, dialect: sqlite }, groups)
  const gathered = groupTable(temporary('groups'), partsOf(columns), groups.by.length)
  const order = groupOrder(sort, columns)
  const sorted = sortedTable(temporary('sorted'), order)

  await runWhole(run, [...gathered.create, ...sorted.create])
  const gather: StepStatement = (rows, values) =>
    prepare(
      `${gathered.name} ${rows.name} ${groups.list.columns}`,
      collection,
      query,
      sqlite,
      (shape) => gathered.insert(totals(columns, groups, rowsByValue(shape, groups, rows.write(shape)))),
      values,
    )
  const range = await rangeOf(collection, query, run)
  if (range === undefined) await eachMatch(collection, query, run, gather)
  else await alongRange(collection, query, range, run, gather)
  const total = await sortGroups()

  return {
    async page(): Promise<Page> {
      const [rows = []] = await runWhole(run, [sorted.first(size + 1, skippedBy(query))])
      return readGroupPage(query, [rows, ...(count ? [[[total]]] : [])])
    },
    /** All groups, as JSON texts, in batches. */
    async *batches(): AsyncIterable<readonly string[]> {
      for (;;) {
        const [rows = []] = await runWhole(run, [sorted.first(BATCH), sorted.remove(BATCH)])
        if (rows.length > 0) yield rows.map(([item]) => String(item))
        if (rows.length < BATCH) return
      }
    },
  }

  async function sortGroups(): Promise<number> {
    const { text } = sorted.insert(
      itemOf(columns),
      sql` FROM (SELECT ${valuesOf(columns)} FROM (${gathered.select} WHERE rowid > ? AND rowid <= ?) AS totals) AS grouped`,
    )
    const pace = newPace()
    for (let from = 0; ; ) {
      const to = from + pace.rows
      const result = await run([
        { text, values: [from, to] },
        { text: `SELECT max(rowid) FROM ${gathered.name}`, values: [] },
      ])
      pace.keep(result?.took)
      if (result === undefined) continue
      const last = Number(result.rows[1]?.[0]?.[0] ?? 0)
      if (last <= to) return last
      from = to
    }
  }
}

/** A table of the parts of groups, whose keys come first. */
function groupTable(name: string, parts: readonly (AggregatePart & { readonly name: string })[], keys: number) {
  // Without keys there is one group.
  const identity = keys === 0 ? ['one'] : parts.slice(0, keys).map((key) => key.name)
  const names = parts.map((part) => part.name)
  const columns = keys === 0 ? ['one', ...names] : names
  const isKey = (part: string): boolean => identity.includes(part)
  const inserted = columns.map((each) => (each === 'one' ? '0' : isKey(each) ? `ifnull(${each}, ${NONE})` : each))
  const updates = parts.slice(keys).map((part) => `${part.name} = ${joined(part)}`)
  const selected = names.map((each) => (isKey(each) ? `nullif(${each}, ${NONE}) AS ${each}` : each))
  return {
    name,
    create: newTable(name, [...columns, `UNIQUE (${identity.join(', ')})`]),
    /** Merges groups into the existing ones. */
    insert: (rows: Sql): Sql =>
      sql`INSERT INTO ${name} AS kept SELECT ${inserted.join(', ')} FROM (${rows}) WHERE 1 ON CONFLICT (${identity.join(', ')}) DO UPDATE SET ${updates.join(', ')}`,
    select: raw(`SELECT ${selected.join(', ')} FROM ${name}`),
  }
}

/** Replaces null in a key, because nulls differ from each other in an index. No value is a blob. */
const NONE = `x''`

/** A part of a group, merged from its previous value and that of the step's rows; either may be null. */
function joined({ name, joined: how }: AggregatePart & { readonly name: string }): string {
  const [own, added] = [`kept.${name}`, `excluded.${name}`]
  if (how === 'sum') return `coalesce(${own} + ${added}, ${own}, ${added})`
  return `CASE WHEN ${own} IS NULL OR ${added} ${how === 'min' ? '<' : '>'} ${own} THEN ${added} ELSE ${own} END`
}
