import { notBefore } from '../../values/kinds/time.ts'
import { valueIn } from '../operation.ts'
import type { Key, Thing } from '../resource.ts'
import type { Resource } from '../schema.ts'
import { type ImportCounts, noRows } from './import-counts.ts'

/** The fields of a row, with the id if it names a thing: an existing thing keeps the others. */
export type GivenRow = Readonly<Record<string, unknown>>

/** The facts for deciding rows of numbered things. */
export interface RowFacts {
  /** The things that rows name. */
  readonly known: ReadonlyMap<Key, Thing>
  /** The last revisions of named things that were deleted. */
  readonly lastRevisions: ReadonlyMap<Key, number>
  /** The highest number ever assigned. */
  readonly last: number
}

export interface DecidedRows {
  readonly made: readonly Thing[]
  readonly changed: readonly { readonly before: Thing; readonly after: Thing }[]
  /** The highest number now assigned. */
  readonly last: number
  readonly counts: ImportCounts
}

/**
 * Decides rows of a resource that is imported together: there are no rules between rows and states. A thing that occurs
 * twice is created first and then changed.
 */
export function decideRows(resource: Resource, rows: readonly GivenRow[], facts: RowFacts, now: string): DecidedRows {
  const { known, lastRevisions } = facts
  const made = new Map<Key, Thing>()
  const changed = new Map<Key, Thing>()
  const counts = { ...noRows }
  let { last } = facts
  for (const { id: named, ...given } of rows) {
    const id = (named as number | undefined) ?? last + 1
    const before = made.get(id) ?? changed.get(id) ?? known.get(id)
    if (before === undefined) {
      made.set(id, newThing(resource, id, given, (lastRevisions.get(id) ?? 0) + 1, now))
      last = Math.max(last, id)
      counts.inserted++
      continue
    }
    const after = changedThing(before, given, now)
    if (after === before) counts.unchanged++
    else {
      const kept = made.has(id) ? made : changed
      kept.set(id, after)
      counts.updated++
    }
  }
  const pairs = [...changed].map(([id, after]) => ({ before: known.get(id) as Thing, after }))
  return { made: [...made.values()], changed: pairs, last, counts }
}

/** A thing that was deleted before continues after its last revision. */
function newThing(resource: Resource, id: Key, given: GivenRow, revision: number, now: string): Thing {
  const createdAt = (given.createdAt as string | undefined) ?? now
  return { ...resource.blank(id, now), ...given, id, createdAt, updatedAt: notBefore(createdAt, now), revision }
}

/** The same thing if the row does not differ. Its creation is not rewritten. */
function changedThing(before: Thing, { createdAt: _, ...given }: GivenRow, now: string): Thing {
  if (Object.entries(given).every(([name, value]) => valueIn(before, name) === value)) return before
  return { ...before, ...given, updatedAt: notBefore(before.updatedAt, now), revision: before.revision + 1 }
}
