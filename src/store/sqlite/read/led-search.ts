import type { Collection } from '../../../queries/collection.ts'
import type { Filter, Query } from '../../../queries/query.ts'
import type { Page } from '../../port/store.ts'
import { gramLeads, leadSelect } from '../../sql/select/gram-leads.ts'
import { readPage } from '../../sql/select/read-page.ts'
import { sqlite } from '../dialect.ts'
import type { RunStep } from './search-text.ts'
import { checkSelect, foundSelect } from './search-text.ts'

/** Rows that one step checks. */
const STEP = 1000

/** A page of the rows that the index of grams leads to; undefined as `ledRows` is. */
export function ledSearch(
  collection: Collection,
  scope: Filter,
  query: Query,
  run: RunStep,
): ((most: number) => Promise<Page | undefined>) | undefined {
  const led = ledRows(collection, scope, query, run)
  if (led === undefined) return undefined
  return async (most) => {
    const found = await led(most)
    if (found === undefined) return undefined
    const page = await run([foundSelect(collection, scope, query, found, 'rows')])
    return readPage(query, page?.rows[0] ?? [], query.count ? found.length : undefined)
  }
}

/**
 * The ids of the rows that the index of grams leads to and that match; undefined if it leads to more than that.
 * Undefined itself if it leads to none, whatever their number.
 */
export function ledRows(
  collection: Collection,
  scope: Filter,
  query: Query,
  run: RunStep,
): ((most: number) => Promise<readonly number[] | undefined>) | undefined {
  const leads = gramLeads(collection, [...scope, ...query.filter])
  if (leads.length === 0) return undefined
  return async (most) => {
    const led = await run(leads.map((lead) => leadSelect(collection, lead, sqlite, 'row id', most)))
    const sets = (led?.rows ?? []).filter((rows) => rows.length < most).map((rows) => new Set(rows.map(([id]) => id)))
    const [first, ...rest] = sets
    if (first === undefined) return undefined
    const rowIds = [...rest.reduce((left, each) => left.intersection(each), first)]
    return check(rowIds.filter((id) => id !== null).map(Number))
  }

  async function check(rowIds: readonly number[]): Promise<readonly number[]> {
    const found: number[] = []
    let step = STEP
    for (let at = 0; at < rowIds.length; ) {
      const result = await run([checkSelect(collection, scope, query, rowIds.slice(at, at + step))])
      if (result === undefined) {
        step = Math.max(1, step >> 2)
        continue
      }
      for (const [rowId] of result.rows[0] ?? []) found.push(Number(rowId))
      at += step
    }
    return found
  }
}
