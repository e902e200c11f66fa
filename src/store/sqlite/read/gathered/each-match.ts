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
import { sqlite } from '../../sql/dialect.ts'
import { ledIds } from '../led-search.ts'
import { newPace } from '../pace.ts'
import { nextEndSelect, type RunStep, stepRows } from '../search-text.ts'

/** From this number of rows on, reading all of them is faster. */
const MANY = 100_000

/** Runs a statement over the matching rows of a step. */
type StepStatement = (rows: GroupedRows, values: Partial<StepValues>) => Select

/**
 * Runs a statement over every matching row once, in small steps between which other searches run: over the rows that an
 * index leads to if they are few, over all otherwise. There is at least one step.
 */
export async function eachMatch(
  collection: Collection,
  query: Query,
  run: RunStep,
  statement: StepStatement,
): Promise<void> {
  const rowIds = await fewRows(collection, query, run)
  if (rowIds === undefined) await amongAll(collection, run, statement)
  else await amongGiven(rowIds, run, statement)
}

async function amongGiven(rowIds: readonly number[], run: RunStep, statement: StepStatement): Promise<void> {
  const pace = newPace()
  let at = 0
  do {
    const given = rowIds.slice(at, at + pace.rows)
    const result = await run([statement(stepRows.given, { rowIds: JSON.stringify(given) })])
    pace.keep(result?.took)
    if (result !== undefined) at += given.length
  } while (at < rowIds.length)
}

async function amongAll(collection: Collection, run: RunStep, statement: StepStatement): Promise<void> {
  const pace = newPace()
  for (let from: number | undefined = Number.MIN_SAFE_INTEGER; from !== undefined; ) {
    const step = pace.rows
    const result = await run([statement(stepRows.next, { step, from }), nextEndSelect(collection, step, from)])
    pace.keep(result?.took)
    if (result === undefined) continue
    const [end] = result.rows[1] ?? []
    from = end && Number(end[0])
  }
}

/** The rows that an index leads to, each once; undefined if they are many. */
async function fewRows(collection: Collection, query: Query, run: RunStep): Promise<readonly number[] | undefined> {
  const led = await ledIds(collection, query.filter, run)?.(MANY)
  if (led !== undefined) return led
  const drivers = [...drivingFields(collection, query), ...drivingTrees(collection, query)]
  if (drivers.length === 0) return undefined
  const probed = await run(drivers.map((driver) => probeSelect(collection, query, sqlite, driver, MANY)))
  const [least] = drivers
    .map((driver, at) => ({ driver, count: Number(probed?.rows[at]?.[0]?.[0] ?? MANY) }))
    .toSorted((one, other) => one.count - other.count)
  if (least === undefined || least.count >= MANY) return undefined
  const driven = await run([drivenSelect(collection, query, sqlite, least.driver, MANY)])
  if (driven === undefined) return undefined
  const ids = new Set(driven.rows[0]?.map(([id]) => id))
  ids.delete(null)
  return [...ids].map(Number)
}
