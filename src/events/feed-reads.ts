import { type Collection, type CollectionField, fieldOf } from '../queries/collection.ts'
import { collectionsOf } from '../queries/collections.ts'
import type { Filter, Query, Value } from '../queries/query.ts'
import { defaultSort } from '../queries/sort.ts'
import { type Desk, SERVICE } from '../store/port/desk.ts'
import type { Store } from '../store/port/store.ts'
import { BEFORE_ALL, isUpTo, sequence } from '../values/kinds/sequence.ts'

/** Events per read. */
const BATCH = 32

/** Some events after a position. */
export interface EventBatch {
  /** As JSON texts. */
  readonly items: readonly string[]
  /** The position after them. */
  readonly place: string
  readonly more: boolean
}

/** Reads the feed for its followers, who read the same at the same time. */
export interface FeedReads {
  /** The position after the newest event. */
  head(): Promise<string>
  /** When the oldest readable event was written; undefined if there is none. */
  beginning(): Promise<Date | undefined>
  after(place: string, filter: Filter): Promise<EventBatch>
  /** Shares the result of a read that is in progress under the same name. */
  shared<T>(name: string, read: () => Promise<T>): Promise<T>
  /** There may be new events, which a read in progress may miss: it is not shared any more. */
  renew(): void
  /** The desk that sees everything, with the schema in use. */
  desk(): Desk
  /** Waits until the schema in use contains every change of the model that was written before the call. */
  caughtUp(): Promise<void>
}

export function feedReads(store: Store): FeedReads {
  const reads = new Map<string, Promise<unknown>>()
  // Another one each time, because the schema in use may have changed.
  const desk = (): Desk => store.as(SERVICE)
  const events = ({ schema }: Desk): Collection => collectionsOf(schema).events

  function shared<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = reads.get(name) as Promise<T> | undefined
    if (known !== undefined) return known
    const reading = read().finally(() => {
      if (reads.get(name) === reading) reads.delete(name)
    })
    reads.set(name, reading)
    return reading
  }

  const head = async (): Promise<string> => {
    const all = desk()
    const feed = events(all)
    const newest = { ...query(feed, []), size: 1, sort: [{ field: placeIn(feed), descending: true }] }
    const last = (await all.page(feed, [], newest)).last?.[0]
    return last === undefined ? ((await all.trimmed.upTo()) ?? BEFORE_ALL) : placeOf(last)
  }

  return {
    head,
    shared,
    desk,
    caughtUp: () => store.schemas.catchUp(),
    renew: () => reads.clear(),
    async beginning() {
      const all = desk()
      const feed = events(all)
      const [oldest] = (await all.page(feed, [], { ...query(feed, []), size: 1 })).items
      return oldest === undefined ? undefined : new Date((JSON.parse(oldest) as { readonly time: string }).time)
    },
    async after(place, filter) {
      // Move on to the end that was read: otherwise a narrow filter would read the same events repeatedly.
      const end = filter.length === 0 ? undefined : await shared('head', head)
      if (end !== undefined && isUpTo(end, place)) return { items: [], place, more: false }
      const all = desk()
      const feed = events(all)
      const scope: Filter =
        end === undefined ? [] : [{ field: placeIn(feed), operator: 'lte', values: [readValue(end)] }]
      const behind = { ...query(feed, filter), after: [readValue(place)] }
      const { items, hasMore, last } = await all.page(feed, scope, behind, { unbounded: true, onlyForward: true })
      const trimmed = await all.trimmed.upTo()
      // The stream ends; the client reconnects at its position and gets 410.
      if (trimmed !== undefined && !isUpTo(trimmed, place)) throw new Error(`events after ${place} were trimmed`)
      const seen = last?.[0] === undefined ? place : placeOf(last[0])
      return { items, place: hasMore || end === undefined ? seen : end, more: hasMore }
    },
  }
}

const placeIn = (events: Collection): CollectionField => fieldOf(events, events.key)

const query = (events: Collection, filter: Filter): Query => ({
  ...{ filter, sort: defaultSort(events), size: BATCH, count: false, refuseEmpty: false },
})

const placeOf = (value: Value): string => String(sequence.write(String(value)))

function readValue(place: string): Value {
  const read = sequence.readText(place)
  if ('fault' in read) throw new Error(`${place} is no place in the feed`)
  return read.value
}
