import { valueIn } from '../model/declaration/operation.ts'
import type { Collection } from './collection.ts'
import { matches, readThing } from './matches.ts'
import type { Filter } from './query.ts'

/** A change of a thing, as its event tells it. */
export interface ThingChange {
  /** Undefined if there was no thing, null if its earlier state is no longer known. */
  readonly before: object | null | undefined
  /** Undefined if the thing was removed. */
  readonly after: object | undefined
}

/** Reads a change from the documents that the events of a thing have; `before` is that of the previous revision. */
export function readChange(
  collection: Collection,
  revision: number,
  doc: string,
  before: string | undefined,
): ThingChange {
  const after = readThing(collection, doc)
  return {
    before: before !== undefined ? readThing(collection, before) : revision === 1 ? undefined : null,
    // Only the id of a removed thing stays.
    after: Object.hasOwn(after, 'revision') ? after : undefined,
  }
}

/** The meaning of a change for a list. */
export type Step = 'enter' | 'change' | 'leave'

/**
 * The step of a list of matching things that a change causes; undefined if it causes none. If the earlier state is
 * unknown, the step leads to the same list whether or not the thing was in it.
 */
export function stepIn(filter: Filter, { before, after }: ThingChange): Step | undefined {
  const isIn = after !== undefined && matches(filter, after)
  if (before === null) return isIn ? 'enter' : 'leave'
  const wasIn = before !== undefined && matches(filter, before)
  if (isIn) return wasIn ? 'change' : 'enter'
  return wasIn ? 'leave' : undefined
}

/** Whether the thing was deleted, permanently or not. */
const isDeletion = ({ before, after }: ThingChange): boolean =>
  after === undefined || (isDeleted(after) && !(before && isDeleted(before)))

const isDeleted = (thing: object): boolean => (valueIn(thing, 'deletedAt') ?? null) !== null

/** Whether a filter matches the thing after the change, or before its deletion; true if that state is unknown. */
export function holdsAfter(filter: Filter, change: ThingChange): boolean {
  const judged = isDeletion(change) ? change.before : change.after
  return judged === null || (judged !== undefined && matches(filter, judged))
}

/** Whether a change touches one of the fields: a creation those that are not null, a deletion all. */
export function touches(fields: readonly string[], change: ThingChange): boolean {
  const { before, after } = change
  if (before === null || isDeletion(change)) return true
  return fields.some((name) => (valueIn(before ?? {}, name) ?? null) !== (valueIn(after ?? {}, name) ?? null))
}
