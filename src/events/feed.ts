import type { Readable } from 'node:stream'
import type { Filter, Value } from '../queries/query.ts'
import type { Store } from '../store/port/store.ts'
import type { Read } from '../values/kinds/kind.ts'
import { sequence } from '../values/kinds/sequence.ts'
import { message, opening } from './event-stream.ts'
import { type FeedReads, feedReads } from './feed-reads.ts'
import { type Batch, type Follower, followFeed } from './follower.ts'
import { type LiveList, listReader, type Snapshot, snapshotOf } from './live-list.ts'

export interface FeedLimits {
  /** The most followers at once. */
  readonly followers: number
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number
  /** The least time between two reads, so that many writes cause one. */
  readonly pause: number
}

const feedLimits: FeedLimits = { followers: 1000, heartbeat: 15_000, pause: 10 }

/** Whether the reader of a stream may still read. */
type MayRead = () => Promise<boolean>

/** The live end of the feed. */
export interface Feed extends Pick<FeedReads, 'head' | 'beginning'> {
  /** Whether the feed could have given this position. */
  readPlace(text: string): Read<Value>
  hasRoom(): boolean
  /** The number of open streams. */
  readonly following: number
  /**
   * The events after a position that pass the filter, as an event stream, until the reader leaves or may no longer
   * read.
   */
  follow(place: string, filter: Filter, mayRead?: MayRead): Readable
  /** The matching things now, and the position at which they match; undefined if there are too many. */
  snapshot(list: LiveList): Promise<Snapshot | undefined>
  /** The changes of a list after a position or after a snapshot, as an event stream. */
  followList(list: LiveList, from: string | Snapshot, mayRead?: MayRead): Readable
  /** Ends every stream and refuses new ones. */
  close(): void
}

export function openFeed(store: Store, limits: FeedLimits = feedLimits): Feed {
  const followers = new Set<Follower>()
  const reads = feedReads(store)
  let isClosed = false
  let unsubscribe = (): void => {}
  let nextLook: NodeJS.Timeout | undefined
  let lastLook = 0

  const wakeAll = (): void => {
    nextLook = undefined
    lastLook = performance.now()
    reads.renew()
    for (const { wake } of followers) wake()
  }
  const onEvents = (): void => {
    nextLook ??= setTimeout(wakeAll, Math.max(0, lastLook + limits.pause - performance.now()))
  }

  function start(
    from: string,
    first: string | Buffer,
    read: (place: string) => Promise<Batch>,
    mayRead: MayRead = async () => true,
  ): Readable {
    const follower = followFeed({
      ...limits,
      from,
      first,
      mayRead,
      read,
      onClose() {
        followers.delete(follower)
        if (followers.size === 0) unsubscribe()
      },
    })
    if (followers.size === 0) unsubscribe = store.onEvents(onEvents)
    followers.add(follower)
    if (isClosed) follower.end()
    return follower.stream
  }

  const eventsAfter = async (place: string, filter: Filter): Promise<Batch> => {
    const { items, ...batch } = await reads.after(place, filter)
    let text = ''
    for (const item of items) text += message(memberOf(item, 'sequence'), memberOf(item, 'type'), item)
    return { ...batch, bytes: Buffer.from(text) }
  }

  return {
    head: reads.head,
    beginning: reads.beginning,
    readPlace: (text) => sequence.readText(text),
    hasRoom: () => !isClosed && followers.size < limits.followers,
    get following() {
      return followers.size
    },
    follow(place, filter, mayRead) {
      const name = filterName(filter)
      const read = (at: string) => reads.shared(`${at} ${name}`, () => eventsAfter(at, filter))
      return start(place, opening(place), read, mayRead)
    },
    snapshot: (list) => snapshotOf(list, reads, store),
    followList(list, from, mayRead) {
      const read = listReader(list, reads)
      if (typeof from === 'string') return start(from, opening(from), read, mayRead)
      return start(from.place, from.bytes, read, mayRead)
    },
    close() {
      isClosed = true
      clearTimeout(nextLook)
      for (const { end } of followers) end()
    },
  }
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
