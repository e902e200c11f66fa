import { setTimeout as pause } from 'node:timers/promises'
import { addCounts, type ImportCounts, noRows } from '../../model/imports/import-counts.ts'
import type { GivenRow } from '../../model/imports/import-rows.ts'
import type { Resource } from '../../model/schema.ts'
import type { ImportStep } from '../../store/port/import-store.ts'
import { type Store, StoreBroken, StoreUnavailable } from '../../store/port/store.ts'

/** The number of retries for a step, and the milliseconds before the first; the wait doubles each time. */
const [MOST_REPEATS, PAUSE] = [5, 100]
/** Rows of one statement: they become fewer on a server that ends statements at a time limit. */
const [MOST_ROWS, FEWEST_ROWS] = [512, 64]

/**
 * Writes rows with their step exactly once, even if the answer is lost: the stored step shows whether to repeat it.
 * Returns undefined if another run has taken over.
 */
export function togetherWriter(
  { imports }: Store,
  resource: Resource,
): (rows: readonly GivenRow[], step: ImportStep) => Promise<ImportCounts | undefined> {
  let atOnce = MOST_ROWS
  let kept = noRows
  return async (rows, step) => {
    const write = async (isRepeated: boolean): Promise<ImportCounts | undefined> => {
      const reached = isRepeated ? await imports.reached(step.id) : undefined
      if (reached === undefined || reached.upto < step.upto) return imports.write(resource, rows, step, atOnce)
      return difference(reached.counts, kept)
    }
    for (let repeats = 0; ; repeats++) {
      try {
        const counts = await write(repeats > 0)
        kept = addCounts(kept, counts ?? noRows)
        return counts
      } catch (cause) {
        if (!isPassing(cause) || repeats === MOST_REPEATS) throw cause
        atOnce = Math.max(FEWEST_ROWS, Math.ceil(atOnce / 2))
        await pause(PAUSE * 2 ** repeats)
      }
    }
  }
}

/** Whether the store may succeed later. */
export const isPassing = (cause: unknown): boolean =>
  cause instanceof StoreUnavailable && !(cause instanceof StoreBroken)

const difference = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  inserted: one.inserted - other.inserted,
  updated: one.updated - other.updated,
  unchanged: one.unchanged - other.unchanged,
})

/** Counts the effects that the rows of a file would have. */
export function togetherCheck(
  { imports }: Store,
  resource: Resource,
): (rows: readonly GivenRow[]) => Promise<ImportCounts> {
  /** The ids that earlier rows would have created. */
  const made = new Set<unknown>()
  return async (rows) => {
    const others = rows.filter(({ id }) => !made.has(id))
    const named = new Set(others.map(({ id }) => id))
    const checked = await imports.check(resource, others)
    for (const id of checked.made) if (named.has(id)) made.add(id)
    return addCounts(checked.counts, { ...noRows, updated: rows.length - others.length })
  }
}
