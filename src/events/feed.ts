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
  /** The most of them that one reader may have, with all keys and sessions. */
  readonly share: number
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number
  /** The least time between two reads, so that many writes cause one. */
  readonly pause: number
}

const feedLimits: FeedLimits = { followers: 1000, share: 100, heartbeat: 15_000, pause: 10 }

/** The reader of a stream. */
export interface StreamReader {
  /** Whose share the stream is taken from; null if callers cannot be distinguished. */
  readonly name: string | null
  /** Whether they may still read. */
  readonly mayRead: () => Promise<boolean>
}

/** One who has no share, and may always read. */
const anybody: StreamReader = { name: null, mayRead: async () => true }

/** The live end of the feed. */
export interface Feed extends Pick<FeedReads, 'head' | 'beginning'> {
  /** Whether the feed could have given this position. */
  readPlace(text: string): Read<Value>
  /** The limit that is reached, so that the reader gets no further stream: all of them, or their share. */
  usedUp(reader: string | null): 'all' | 'share' | undefined
  /** The number of open streams. */
  readonly following: number
  /**
   * The events after a position that pass the filter, as an event stream, until the reader leaves or may no longer
   * read.
   */
  /** `judge` says which events the reader sees, if not all, at each read. */
  follow(place: string, filter: Filter, reader?: StreamReader, judge?: () => Tells | undefined): Readable
  /** The matching things now, and the position at which they match; undefined if there are too many. */
  snapshot(list: LiveList): Promise<Snapshot | undefined>
  /** The changes of a list after a position or after a snapshot, as an event stream. */
  followList(list: LiveList, from: string | Snapshot, reader?: StreamReader): Readable
  /** Ends every stream and refuses new ones. */
  close(): void
}

export function openFeed(store: Store, limits: FeedLimits = feedLimits): Feed {
  /** With the names of their readers. */
  const followers = new Map<Follower, string | null>()
  const reads = feedReads(store)
  let isClosed = false
  let unsubscribe = (): void => {}
  let nextLook: NodeJS.Timeout | undefined
  let lastLook = 0

  const wakeAll = (): void => {
    nextLook = undefined
    lastLook = performance.now()
    reads.renew()
    for (const { wake } of followers.keys()) wake()
  }
  const onEvents = (): void => {
    nextLook ??= setTimeout(wakeAll, Math.max(0, lastLook + limits.pause - performance.now()))
  }

  function start(
    from: string,
    first: string | Buffer,
    read: (place: string) => Promise<Batch>,
    { name, mayRead }: StreamReader = anybody,
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
    followers.set(follower, name)
    if (isClosed) follower.end()
    return follower.stream
  }

  const eventsAfter = async (place: string, filter: Filter, tells: Tells = everything): Promise<Batch> => {
    const { items, ...batch } = await reads.after(place, filter)
    let text = ''
    for (const item of items)
      if (tells === everything || (await tells(item)))
        text += message(memberOf(item, 'sequence'), memberOf(item, 'type'), item)
    return { ...batch, bytes: Buffer.from(text) }
  }

  return {
    head: reads.head,
    beginning: reads.beginning,
    readPlace: (text) => sequence.readText(text),
    usedUp(reader) {
      if (isClosed || followers.size >= limits.followers) return 'all'
      const isOwn = (name: string | null): boolean => reader !== null && name === reader
      return [...followers.values()].filter(isOwn).length < limits.share ? undefined : 'share'
    },
    get following() {
      return followers.size
    },
    follow(place, filter, reader, judge) {
      const name = filterName(filter)
      const read = (at: string) => {
        const tells = judge?.()
        return tells === undefined
          ? reads.shared(`${at} ${name}`, () => eventsAfter(at, filter))
          : eventsAfter(at, filter, tells)
      }
      return start(place, opening(place), read, reader)
    },
    snapshot: (list) => snapshotOf(list, reads, store),
    followList(list, from, reader) {
      const read = listReader(list, reads)
      if (typeof from === 'string') return start(from, opening(from), read, reader)
      return start(from.place, from.bytes, read, reader)
    },
    close() {
      isClosed = true
      clearTimeout(nextLook)
      for (const { end } of followers.keys()) end()
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

/** Whether a reader sees an event. */
export type Tells = (event: string) => Promise<boolean>

const everything: Tells = async () => true

/** The same for the same filter. */
const filterName = (filter: Filter): string =>
  JSON.stringify(filter, (key, value) => (key === 'field' ? value.name : value))
