import { bySchema } from '../model/declaration/by-schema.ts'
import type { Key } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import { happenings } from '../model/nouns/event-types.ts'
import { fieldOf } from '../queries/collection.ts'
import { collectionOf, collectionsOf } from '../queries/collections.ts'
import type { Filter } from '../queries/query.ts'
import { defaultSort } from '../queries/sort.ts'
import { readChange, stepIn, type ThingChange } from '../queries/thing-change.ts'
import type { Desk } from '../store/port/desk.ts'
import type { Store } from '../store/port/store.ts'
import { mapInTurns } from '../store/port/take-turns.ts'
import { answerBounds } from '../values/bounds.ts'
import { readNumbersRaw } from '../values/json/read-numbers-raw.ts'
import { isUpTo } from '../values/kinds/sequence.ts'
import { message, retry, unplaced } from './event-stream.ts'
import type { FeedReads } from './feed-reads.ts'
import type { Batch } from './follower.ts'

/** The things that match a filter about each of them alone, while they change. decisions/0020 */
export interface LiveList {
  readonly resource: Resource
  readonly filter: Filter
  /** A thing's document as the reader wants it. */
  readonly show: (json: string) => string
}

/** The things of a list, as messages, and the position in the feed at which they match. */
export interface Snapshot {
  readonly bytes: Buffer
  readonly place: string
}

/** A change that the feed reports, with the thing's document after it; or that a list must be read again. */
type ToldChange =
  | { readonly place: string; readonly id: Key; readonly json: string; readonly change: ThingChange }
  | { readonly place: string; readonly reset: true }

/** Reads the messages about a list after a position. */
export function listReader(list: LiveList, reads: FeedReads): (place: string) => Promise<Batch> {
  const { resource } = list
  let isBegun = false
  return async (place) => {
    const end = isBegun ? undefined : await otherModelUpTo(resource, place, reads)
    if (end !== undefined) return { bytes: Buffer.from(reset(end)), place: end, more: false, isLast: true }
    isBegun = true
    const name = `changes of ${resource.plural} ${place}`
    const { changes, ...batch } = await reads.shared(name, () => changesAfter(resource, place, reads))
    const texts = await mapInTurns(changes, (told) => messageOf(list, told))
    return { ...batch, bytes: Buffer.from(texts.join('')) }
  }
}

/**
 * The position up to which a reader of the list must read it again: the model has changed after the one where they
 * begin, or the filter was read by an earlier one. Undefined if it was read by the model that holds where they begin.
 */
async function otherModelUpTo({ schema }: Resource, place: string, reads: FeedReads): Promise<string | undefined> {
  const read = () => reads.after(place, ofTypes(schema, [...typesOfModel(schema)]))
  const { items, place: end } = await reads.shared(`model after ${place}`, read)
  await reads.caughtUp()
  return items.length > 0 || reads.desk().schema !== schema ? end : undefined
}

function messageOf({ filter, show }: LiveList, told: ToldChange): string {
  if ('reset' in told) return reset(told.place)
  const step = stepIn(filter, told.change)
  return step === undefined ? '' : message(told.place, step, step === 'leave' ? left(told.id) : show(told.json))
}

const left = (id: Key): string => JSON.stringify({ id })
const reset = (place: string): string => message(place, 'reset', '{}')

interface ChangeBatch extends Omit<Batch, 'bytes'> {
  readonly changes: readonly ToldChange[]
}

/** Ends at a change of the model: what follows is judged by another filter, if it still has a meaning. */
async function changesAfter(resource: Resource, place: string, reads: FeedReads): Promise<ChangeBatch> {
  const { schema } = resource
  const { items, ...batch } = await reads.after(place, ofTypes(schema, typesAbout(resource)))
  // Rights have changed, of which no event tells.
  if (rightsIn(reads.desk().schema) !== rightsIn(schema) && !items.some((item) => tellsOfModel(schema, item)))
    return { changes: [{ place: batch.place, reset: true }], place: batch.place, more: false, isLast: true }
  const changes: ToldChange[] = []
  const known: KnownStates = new Map()
  for (const item of items) {
    const event = readNumbersRaw(item) as ToldEvent
    changes.push(await readTold(resource, event, known, reads.desk()))
    if (!typesOfModel(schema).has(event.type)) continue
    await reads.caughtUp()
    return { changes, place: event.sequence, more: false, isLast: true }
  }
  return { ...batch, changes }
}

/** The last document of each thing that a batch has shown so far, by the thing's id. */
type KnownStates = Map<Key, { readonly revision: number; readonly json: string }>

/** The events of a resource, and those that change its meaning. An import of things together has one for all of them. */
const typesAbout = bySchema(({ name, schema }: Resource): readonly string[] => {
  const own = happenings(schema).flatMap(({ on, words }) => (on.name === name ? [words.event] : []))
  return [...new Set([...own, ...typesOfModel(schema)])]
})

/** The events of what the schema is made of. */
const typesOfModel = bySchema(
  ({ operations }: Schema): ReadonlySet<string> =>
    new Set(operations.flatMap(({ on, words }) => (on.shapes === undefined ? [] : [words.event]))),
)

/** A schema is also built again when an index of a field is ready, which changes no rights. */
const rightsIn = bySchema(({ roles, teams, holders }: Schema): string => JSON.stringify([roles, teams, holders]))

const tellsOfModel = (schema: Schema, item: string): boolean =>
  typesOfModel(schema).has((JSON.parse(item) as { readonly type: string }).type)

const ofTypes = (schema: Schema, types: readonly string[]): Filter => [
  { field: fieldOf(collectionsOf(schema).events, 'type'), operator: 'eq', values: types },
]

interface ToldEvent {
  readonly type: string
  readonly sequence: string
  readonly data: { readonly revision: { readonly rawJSON: string }; readonly [resource: string]: unknown }
}

async function readTold(
  resource: Resource,
  { type, sequence: place, data }: ToldEvent,
  known: KnownStates,
  desk: Desk,
): Promise<ToldChange> {
  if (!Object.hasOwn(data, resource.name) || typesOfModel(resource.schema).has(type)) return { place, reset: true }
  const json = JSON.stringify(data[resource.name])
  const { id } = JSON.parse(json) as { readonly id: Key }
  const revision = Number(data.revision.rawJSON)
  const last = known.get(id)
  const before = last?.revision === revision - 1 ? last.json : (await desk.event(resource, id, revision - 1))?.doc
  known.set(id, { revision, json })
  return { place, id, json, change: readChange(collectionOf(resource), revision, json, before) }
}

/**
 * The matching things and the position at which exactly these match. The list is read between two positions, and what
 * happened between them is applied to it.
 */
export async function snapshotOf(list: LiveList, reads: FeedReads, store: Store): Promise<Snapshot | undefined> {
  const { resource, filter, show } = list
  const collection = collectionOf(resource)
  const from = await reads.head()
  const found = await reads.desk().page(collection, [], { ...whole, filter, sort: defaultSort(collection) })
  if (found.hasMore) return undefined
  await store.settled()
  const end = await reads.head()
  const things = new Map(found.items.map((json) => [(JSON.parse(json) as { readonly id: Key }).id, json]))
  for (let place = from; !isUpTo(end, place); ) {
    const batch = await changesAfter(resource, place, reads)
    for (const told of batch.changes) {
      if (!isUpTo(told.place, end)) break
      if ('reset' in told) return snapshotOf(list, reads, store)
      if (stepIn(filter, { ...told.change, before: null }) === 'enter') things.set(told.id, told.json)
      else things.delete(told.id)
    }
    place = batch.place
  }
  if (things.size > answerBounds.page) return undefined
  const entering = await mapInTurns(things.values(), (json) => unplaced('enter', show(json)))
  const ready = message(end, 'ready', JSON.stringify({ sequence: end }))
  return { bytes: Buffer.from(`${retry}${entering.join('')}${ready}`), place: end }
}

const whole = { size: answerBounds.page, count: false, refuseEmpty: false } as const
