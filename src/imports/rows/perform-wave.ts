import { setTimeout as pause } from 'node:timers/promises'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { type ImportCounts, noRows } from '../../model/nouns/imports/import-counts.ts'
import type { Store } from '../../store/port/store.ts'
import type { FileRow } from '../read/read-waves.ts'
import { findThing, performRow, type RowOptions, type RowResult } from './perform-row.ts'
import { isPassing } from './write-together.ts'

/** The number of retries for rows, and the milliseconds before each. */
const [MOST_REPEATS, PAUSE] = [4, 200]

/**
 * Performs rows through their operations, so that their history is genuine. Rows that the store had no time for are
 * performed again, half of them at a time: a row succeeds or fails as a whole, and a finished one is recognised.
 * decisions/0016
 */
export async function performWave(
  store: Store,
  resource: Resource,
  rows: readonly FileRow[],
  options: RowOptions,
  repeats: number = MOST_REPEATS,
): Promise<readonly PromiseSettledResult<RowResult>[]> {
  const results = [...(await performTogether(store, resource, rows, options))]
  const failed = results.flatMap((result, at) => (isShed(result) ? [at] : []))
  if (failed.length === 0 || repeats === 0) return results
  await pause(PAUSE)
  const half = Math.ceil(failed.length / 2)
  for (const part of [failed.slice(0, half), failed.slice(half)]) {
    const again = part.map((at) => rows[at] as FileRow)
    const repeated = await performWave(store, resource, again, options, repeats - 1)
    for (const [nth, at] of part.entries()) results[at] = repeated[nth] as PromiseSettledResult<RowResult>
  }
  return results
}

const isShed = (result: PromiseSettledResult<RowResult>): boolean =>
  result.status === 'rejected' && isPassing(result.reason)

/**
 * Rows about one thing are performed one after the other, the rest together, in the order of the file. Rows after a
 * failed one are not performed.
 */
async function performTogether(
  store: Store,
  resource: Resource,
  rows: readonly FileRow[],
  options: RowOptions,
): Promise<readonly PromiseSettledResult<RowResult>[]> {
  const last = new Map<unknown, Promise<RowResult>>()
  // Things are looked up beforehand: answers come in any order.
  const found = new Map<unknown, Promise<Key | undefined>>()
  const find = (row: FileRow) => findThing(options.desk, resource, row)
  const keys = rows.map((row) => keyOf(resource, row))
  for (const [at, row] of rows.entries()) if (!found.has(keys[at])) found.set(keys[at], find(row))
  await Promise.allSettled(found.values())
  const performing = rows.map((row, at) => {
    const before = last.get(keys[at])
    const perform = async (finding = find(row)): Promise<RowResult> =>
      performRow(store, resource, row, await finding, options)
    const running = before === undefined ? perform(found.get(keys[at])) : before.then(() => perform())
    last.set(keys[at], running)
    return running
  })
  return Promise.allSettled(performing)
}

/** The same for rows about one thing. */
function keyOf(resource: Resource, { values, key }: FileRow): unknown {
  const [unique] = resource.uniques.filter((field) => (values[field] ?? null) !== null)
  return values.id ?? (unique === undefined ? key : `${unique} ${values[unique]}`)
}

/** Throws the failure that kept the store from deciding. */
export const settled = (results: readonly PromiseSettledResult<RowResult>[]): readonly RowResult[] =>
  results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })

export function countsOf(results: readonly (RowResult | undefined)[]): ImportCounts {
  const counts = { ...noRows }
  for (const result of results) if (typeof result === 'string') counts[result]++
  return counts
}
