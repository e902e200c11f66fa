import type { Collection } from '../../../../queries/collection.ts'
import type { Query } from '../../../../queries/query.ts'
import type { GroupedRows } from '../../../select/groups/group-text.ts'
import {
  drivenSelect,
  drivingFields,
  drivingTrees,
  probeSelect,
  type Select,
  type StepValues,
} from '../../../select/select.ts'
import type { Row } from '../../../sql/statement.ts'
import { sqlite } from '../../sql/dialect.ts'
import { ledIds } from '../led-search.ts'
import { newPace } from '../pace.ts'
import { nextEndSelect, type RunStep, stepRows } from '../search-text.ts'

/** From this number of rows on, reading all of them is faster. */
export const MANY_OF_ALL = 100_000
/** Given rows that one step takes at most. */
const GIVEN_STEP = 1000

/** A statement over the matching rows of a step. */
export type StepStatement = (rows: GroupedRows, values: Partial<StepValues>) => Select

/** Gets the rows that a step returns; true ends the steps. */
type TakeRows = (rows: readonly Row[]) => Promise<boolean>

/**
 * Runs a statement over every matching row once, in small steps between which other searches run: over the rows that an
 * index leads to if they are few, over all otherwise. There is at least one step.
 */
export async function eachMatch(
  collection: Collection,
  query: Query,
  run: RunStep,
  statement: StepStatement,
  take?: TakeRows,
): Promise<void> {
  const rowIds = await fewRows(collection, query, run, MANY_OF_ALL)
  if (rowIds === undefined) await amongAll(collection, run, statement, take)
  else await amongGiven(rowIds, run, statement, take)
}

/** The same over the given rows, in their order. */
export async function amongGiven(
  rowIds: readonly number[],
  run: RunStep,
  statement: StepStatement,
  take?: TakeRows,
): Promise<void> {
  let step = GIVEN_STEP
  let at = 0
  do {
    const given = rowIds.slice(at, at + step)
    const result = await run([statement(stepRows.given, { rowIds: JSON.stringify(given) })])
    if (result === undefined) step = Math.max(1, step >> 2)
    else {
      at += given.length
      if (await take?.(result.rows[0] ?? [])) return
    }
  } while (at < rowIds.length)
}

/** The same over all rows. */
export async function amongAll(
  collection: Collection,
  run: RunStep,
  statement: StepStatement,
  take?: TakeRows,
): Promise<void> {
  const pace = newPace()
  for (let from: number | undefined = Number.MIN_SAFE_INTEGER; from !== undefined; ) {
    const step = pace.rows
    const result = await run([statement(stepRows.next, { step, from }), nextEndSelect(collection, step, from)])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [rows = [], [end] = []] = result.rows
    if (await take?.(rows)) return
    from = end && Number(end[0])
  }
}

/** The rows that an index leads to, each once; undefined if there are this many. */
export async function fewRows(
  collection: Collection,
  query: Query,
  run: RunStep,
  many: number,
): Promise<readonly number[] | undefined> {
  const led = await ledIds(collection, query.filter, run)?.(many)
  if (led !== undefined) return led
  const drivers = [...drivingFields(collection, query), ...drivingTrees(collection, query)]
  if (drivers.length === 0) return undefined
  const probed = await run(drivers.map((driver) => probeSelect(collection, query, sqlite, driver, many)))
  const [least] = drivers
    .map((driver, at) => ({ driver, count: Number(probed?.rows[at]?.[0]?.[0] ?? many) }))
    .toSorted((one, other) => one.count - other.count)
  if (least === undefined || least.count >= many) return undefined
  const driven = await run([drivenSelect(collection, query, sqlite, least.driver, many)])
  if (driven === undefined) return undefined
  const ids = new Set(driven.rows[0]?.map(([id]) => id))
  ids.delete(null)
  return [...ids].map(Number)
}
