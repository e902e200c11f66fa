import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config.ts'
import { addCounts, type ImportCounts, noRows } from '../../model/customer/imported.ts'
import type { Resource } from '../../model/resource.ts'
import { openStore, requireDatabase } from '../../store/open.ts'
import type { ImportProgress } from '../../store/port/maintenance.ts'
import { type Store, StoreBroken, StoreUnavailable } from '../../store/port/store.ts'
import type { GivenValues } from '../read/row-reader.ts'
import type { Importing, ImportTarget } from './importing.ts'
import { thingLayout } from './layouts.ts'
import { performRow, type RowOptions, type RowResult } from './perform-row.ts'

/** How many rows are under way together: a few of the store's batches. */
const WAVE = 512
/** Milliseconds after each wave, so that a service beside the import gets its turn. */
const TURN = 4
/** How often rows are tried again, and the milliseconds before that. */
const [MOST_REPEATS, PAUSE] = [4, 200]

export interface FileRow {
  readonly values: GivenValues
  readonly line: number
  readonly row: () => string
}

export interface ThingImportOptions extends RowOptions {
  readonly strict: boolean
}

/** Imports things through their operations, so that their history is genuine. decisions/0016 */
export function thingImport(
  settings: Settings,
  resource: Resource,
  options: ThingImportOptions,
): Importing<readonly FileRow[]> {
  return {
    things: resource.plural,
    layout: thingLayout(resource),
    ...inWaves(),
    async open() {
      if (options.dryRun) requireDatabase(settings)
      const store = await openStore(settings, () => {})
      return {
        opening: store.opening,
        write: (waves, _expected, onReject) => writeWaves(store, resource, waves, options, onReject),
        close: () => store.close(),
      }
    },
  }
}

/** Gathers rows as they are. */
export function inWaves(): Pick<Importing<readonly FileRow[]>, 'gathering' | 'rowsIn'> {
  let wave: FileRow[] = []
  const take = (): readonly FileRow[] => {
    const taken = wave
    wave = []
    return taken
  }
  return {
    gathering: {
      add(values, line, row) {
        wave.push({ values, line, row })
        return wave.length === WAVE ? take() : undefined
      },
      rest: () => (wave.length > 0 ? take() : undefined),
    },
    rowsIn: ({ length }) => length,
  }
}

async function* writeWaves(
  store: Store,
  resource: Resource,
  waves: AsyncIterable<readonly FileRow[]>,
  options: ThingImportOptions,
  onReject: Parameters<ImportTarget<readonly FileRow[]>['write']>[2],
): AsyncIterable<ImportProgress> {
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  for await (const rows of waves) {
    const rejectAll = (results: readonly RowResult[]): void => {
      for (const [at, result] of results.entries()) {
        const { line, row } = rows[at] as FileRow
        if (typeof result === 'object') onReject({ line, faults: result.faults, row: row() })
      }
    }
    // Nothing of a wave with a wrong row is kept: `onReject` ends the import there.
    if (options.strict && !options.dryRun) {
      rejectAll(settled(await performWave(store, resource, rows, { ...options, dryRun: true })))
    }
    const results = await performWave(store, resource, rows, options)
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    reached = {
      taken: reached.taken + rows.length,
      kept: addCounts(reached.kept, countsOf(done)),
      batches: reached.batches + 1,
    }
    yield reached
    rejectAll(settled(results))
    await pause(TURN)
  }
}

/**
 * Performs rows. Those that the store had no time for are performed again, half of them at a time: a row is done whole or
 * not at all, and one that was done is found so.
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
  result.status === 'rejected' && result.reason instanceof StoreUnavailable && !(result.reason instanceof StoreBroken)

/** Rows about one thing are performed one after the other, the rest together. Behind one that failed none is. */
function performTogether(
  store: Store,
  resource: Resource,
  rows: readonly FileRow[],
  options: RowOptions,
): Promise<readonly PromiseSettledResult<RowResult>[]> {
  const last = new Map<unknown, Promise<RowResult>>()
  const performing = rows.map(({ values }) => {
    const key = values.id ?? values.reference
    const before = last.get(key)
    const perform = (): Promise<RowResult> => performRow(store, resource, values, options)
    const running = before === undefined ? perform() : before.then(perform)
    last.set(key, running)
    return running
  })
  return Promise.allSettled(performing)
}

/** Throws what kept the store from deciding. */
export const settled = (results: readonly PromiseSettledResult<RowResult>[]): readonly RowResult[] =>
  results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })

export function countsOf(results: readonly RowResult[]): ImportCounts {
  const counts = { ...noRows }
  for (const result of results) if (typeof result === 'string') counts[result]++
  return counts
}
