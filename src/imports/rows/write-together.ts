import { setTimeout as pause } from 'node:timers/promises'
import { valueIn } from '../../model/declaration/operation.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { GivenRow } from '../../model/intent/import-rows.ts'
import { addCounts, type ImportCounts, noRows } from '../../model/nouns/imports/import-counts.ts'
import type { CallersReading } from '../../model/nouns/user/person.ts'
import type { ImportStep, WrittenRows } from '../../store/port/import-store.ts'
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
  reading: CallersReading,
): (rows: readonly GivenRow[], step: ImportStep) => Promise<WrittenRows | undefined> {
  let atOnce = MOST_ROWS
  let kept = noRows
  return async (rows, step) => {
    const write = async (isRepeated: boolean): Promise<WrittenRows | undefined> => {
      const reached = isRepeated ? await imports.reached(step.id) : undefined
      if (reached === undefined || reached.upto < step.upto)
        return imports.write(resource, { rows, reading }, step, atOnce)
      // Rows that were refused still are: other things have their values.
      const { refused } = await imports.check(resource, { rows, reading })
      return { counts: difference(reached.counts, kept), refused }
    }
    for (let repeats = 0; ; repeats++) {
      try {
        const written = await write(repeats > 0)
        kept = addCounts(kept, written?.counts ?? noRows)
        return written
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
  reading: CallersReading,
): (rows: readonly GivenRow[]) => Promise<WrittenRows> {
  const names = ['id', ...resource.uniques]
  const nameOf = (field: string, row: object): string => `${field} ${valueIn(row, field)}`
  const given = (row: GivenRow): readonly string[] =>
    names.filter((field) => (row[field] ?? null) !== null).map((field) => nameOf(field, row))
  /** The names of the things that earlier rows would have created. */
  const made = new Set<string>()
  return async (rows) => {
    const isOther = rows.map((row) => !given(row).some((name) => made.has(name)))
    const others = rows.filter((_, at) => isOther[at])
    const named = new Set(others.flatMap(given))
    const checked = await imports.check(resource, { rows: others, reading })
    for (const name of checked.made.flatMap((thing) => names.map((field) => nameOf(field, thing)))) {
      if (named.has(name)) made.add(name)
    }
    const places = [...isOther.keys()].filter((at) => isOther[at])
    return {
      counts: addCounts(checked.counts, { ...noRows, updated: rows.length - others.length }),
      refused: checked.refused.map(({ at, fault }) => ({ at: places[at] ?? at, fault })),
    }
  }
}
