import type { Readable } from 'node:stream'
import { type Collection, type CollectionField, fieldOf } from '../queries/collection.ts'
import { collectionsOf } from '../queries/collections.ts'
import type { Filter, Query, Value } from '../queries/query.ts'
import { defaultSort } from '../queries/sort.ts'
import { type Desk, SERVICE } from '../store/port/desk.ts'
import type { Store } from '../store/port/store.ts'
import type { Read } from '../values/kinds/kind.ts'
import { BEFORE_ALL, isUpTo, sequence } from '../values/kinds/sequence.ts'
import { message } from './event-stream.ts'
import { type Batch, type Follower, followFeed } from './follower.ts'

/** Events per read. */
const BATCH = 32

export interface FeedLimits {
  /** The most followers at once. */
  readonly followers: number
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number
  /** The least time between two reads, so that many writes cause one. */
  readonly pause: number
}

const feedLimits: FeedLimits = { followers: 1000, heartbeat: 15_000, pause: 10 }

/** The live end of the feed. */
export interface Feed {
  /** The position after the newest event. */
  head(): Promise<string>
  /** Whether the feed could have given this position. */
  readPlace(text: string): Read<Value>
  hasRoom(): boolean
  /** The number of open streams. */
  readonly following: number
  /** When the oldest readable event was written; undefined if there is none. */
  beginning(): Promise<Date | undefined>
  /**
   * The events after a position that pass the filter, as an event stream, until the reader leaves or may no longer
   * read.
   */
  follow(place: string, filter: Filter, mayRead?: () => Promise<boolean>): Readable
  /** Ends every stream and refuses new ones. */
  close(): void
}

export function openFeed(store: Store, limits: FeedLimits = feedLimits): Feed {
  const followers = new Set<Follower>()
  const reads = new Map<string, Promise<unknown>>()
  let isClosed = false
  let unsubscribe = (): void => {}
  let nextLook: NodeJS.Timeout | undefined
  let lastLook = 0

  const wakeAll = (): void => {
    nextLook = undefined
    lastLook = performance.now()
    // A read in progress may have begun before the announcement, so it is not shared.
    reads.clear()
    for (const { wake } of followers) wake()
  }
  const onEvents = (): void => {
    nextLook ??= setTimeout(wakeAll, Math.max(0, lastLook + limits.pause - performance.now()))
  }

  /** Followers at the same position share one read. */
  function shared<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = reads.get(name) as Promise<T> | undefined
    if (known !== undefined) return known
    const reading = read().finally(() => {
      if (reads.get(name) === reading) reads.delete(name)
    })
    reads.set(name, reading)
    return reading
  }

  /** Read again each time, because the schema in use may have changed. */
  const deskNow = (): { readonly desk: Desk; readonly events: Collection } => {
    const desk = store.as(SERVICE)
    return { desk, events: collectionsOf(desk.schema).events }
  }

  const readHead = async (): Promise<string> => {
    const { desk, events } = deskNow()
    const newest = { ...query(events, []), size: 1, sort: [{ field: placeIn(events), descending: true }] }
    const last = (await desk.page(events, [], newest)).last?.[0]
    return last === undefined ? ((await desk.trimmed.upTo()) ?? BEFORE_ALL) : placeOf(last)
  }

  const read = async (place: string, filter: Filter): Promise<Batch> => {
    // Move on to the end that was read: otherwise a narrow filter would read the same events repeatedly.
    const end = filter.length === 0 ? undefined : await shared('head', readHead)
    if (end !== undefined && isUpTo(end, place)) return { bytes: nothing, place, more: false }
    const { desk, events } = deskNow()
    const scope: Filter =
      end === undefined ? [] : [{ field: placeIn(events), operator: 'lte', values: [readValue(end)] }]
    const behind = { ...query(events, filter), after: [readValue(place)] }
    const { items, hasMore, last } = await desk.page(events, scope, behind, { unbounded: true, onlyForward: true })
    const trimmed = await desk.trimmed.upTo()
    // The stream ends; the client reconnects at its position and gets 410.
    if (trimmed !== undefined && !isUpTo(trimmed, place)) throw new Error(`events after ${place} were trimmed`)
    let text = ''
    for (const item of items) text += message(memberOf(item, 'sequence'), memberOf(item, 'type'), item)
    const seen = last?.[0] === undefined ? place : placeOf(last[0])
    return { bytes: Buffer.from(text), place: hasMore || end === undefined ? seen : end, more: hasMore }
  }

  return {
    head: readHead,
    readPlace: (text) => sequence.readText(text),
    hasRoom: () => !isClosed && followers.size < limits.followers,
    get following() {
      return followers.size
    },
    async beginning() {
      const { desk, events } = deskNow()
      const [oldest] = (await desk.page(events, [], { ...query(events, []), size: 1 })).items
      return oldest === undefined ? undefined : new Date((JSON.parse(oldest) as { readonly time: string }).time)
    },
    follow(from, filter, mayRead = async () => true) {
      const name = filterName(filter)
      const follower = followFeed({
        ...limits,
        from,
        mayRead,
        read: (place) => shared(`${place} ${name}`, () => read(place, filter)),
        onClose() {
          followers.delete(follower)
          if (followers.size === 0) unsubscribe()
        },
      })
      if (followers.size === 0) unsubscribe = store.onEvents(onEvents)
      followers.add(follower)
      if (isClosed) follower.end()
      return follower.stream
    },
    close() {
      isClosed = true
      clearTimeout(nextLook)
      for (const { end } of followers) end()
    },
  }
}

const nothing = Buffer.alloc(0)

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

/** Finds type and position in the event's own text, where they precede everything that a client wrote. */
function memberOf(item: string, name: keyof typeof members): string {
  const found = members[name].exec(item)?.[1]
  if (found === undefined) throw new Error(`an event has no ${name}`)
  return found
}

const members = { sequence: /"sequence":"([^"]+)"/, type: /"type":"([^"]+)"/ }

/** The same for the same filter. */
const filterName = (filter: Filter): string =>
  JSON.stringify(filter, (key, value) => (key === 'field' ? value.name : value))
