import type { Key } from '../../model/declaration/resource.ts'
import type { Relation } from '../../model/schema/resources.ts'
import type { Stored } from '../../store/port/desk.ts'
import { answerBounds } from '../../values/bounds.ts'
import type { Call } from '../contract/endpoint.ts'

/** The things related to those with the keys, by key: one more than are shown, if there are more. */
export type RelatedThings = ReadonlyMap<string, readonly string[]>

export type ReadRelated = (relation: Relation, keys: readonly Key[]) => Promise<RelatedThings>

/** An item's key and its references; its other members are ignored. */
export type ReferringItem = { readonly [name: string]: Key | null }

/** The key that a thing refers to; null if it refers to nothing. */
export const referredTo = ({ json }: Stored, { field }: Relation): Key | null =>
  (JSON.parse(json) as ReferringItem)[field] ?? null

/** The shown relations of an item. */
export interface ShownRelated<T> {
  readonly things: T
  readonly hasMore: boolean
}

/** Shows the things related to items: read together, and once for all items that share one. */
export async function showRelated<T>(
  relation: Relation,
  items: readonly ReferringItem[],
  read: ReadRelated,
  show: (things: readonly string[]) => T | Promise<T>,
): Promise<(item: ReferringItem) => ShownRelated<T>> {
  const keyOf = (item: ReferringItem): Key | null => item[relation.kind === 'one' ? relation.field : 'id'] ?? null
  const keys = [...new Set(items.map(keyOf))].filter((key) => key !== null)
  const shown = new Map<string, ShownRelated<T>>()
  for (const [key, things] of await read(relation, keys)) {
    const hasMore = things.length > answerBounds.related
    shown.set(key, { things: await show(things.slice(0, answerBounds.related)), hasMore })
  }
  const none = { things: await show([]), hasMore: false }
  return (item) => shown.get(String(keyOf(item))) ?? none
}

/** The number of things read at a time, so that the limit is noticed before all of them are in memory. */
const AT_A_TIME = 1000

/** Reads related things, within the limits of the answer. */
export async function readRelated(
  relation: Relation,
  keys: readonly Key[],
  { desk, budget }: Pick<Call, 'desk' | 'budget'>,
): Promise<RelatedThings> {
  const found = new Map<string, readonly string[]>()
  const step = relation.kind === 'many' ? AT_A_TIME / answerBounds.related : AT_A_TIME
  for (let from = 0; from < keys.length; from += step) {
    const some = await desk.related(relation, keys.slice(from, from + step), answerBounds.related + 1)
    budget.hold([...some.values()].flat())
    for (const [key, things] of some) found.set(key, things)
  }
  return found
}
