import { Readable } from 'node:stream'
import { heartbeat } from './event-stream.ts'

/** A batch of events after a position, ready to be sent. */
export interface Batch {
  /** Empty if there were none. */
  readonly bytes: Buffer
  /** The position after them, as clients see it. */
  readonly place: string
  readonly more: boolean
  /** Set if the stream ends after it. */
  readonly isLast?: true
}

export interface Follower {
  readonly stream: Readable
  /** Wakes the follower: there may be new events. */
  wake(): void
  /** Ends the stream after the current batch; clients reconnect by themselves. */
  end(): void
}

export interface FollowerOptions {
  readonly from: string
  /** Sent before everything else. */
  readonly first: string | Buffer
  readonly read: (place: string) => Promise<Batch>
  /** Whether the reader may still read: checked before each read, and about once a second. */
  readonly mayRead: () => Promise<boolean>
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number
  readonly onClose: () => void
}

/** How long an ended stream waits for its reader to drain it. */
const LINGER = 1000
/** Milliseconds between two checks of whether the reader may still read, if nothing happens. */
const WATCH = 1000

/**
 * One reader of the feed. It reads after its own position, and only when its socket has drained the previous batch:
 * a slow reader holds two batches at most.
 */
export function followFeed({ from, first, read, mayRead, onClose, ...options }: FollowerOptions): Follower {
  let place = from
  let isWanted = false
  let isReading = false
  let mayHaveMore = true
  let hasEnded = false
  let leaving: NodeJS.Timeout | undefined

  const stream = new Readable({
    highWaterMark: 1,
    read() {
      isWanted = true
      void look()
    },
    destroy(cause, done) {
      hasEnded = true
      clearTimeout(leaving)
      clearInterval(heartbeats)
      clearInterval(watch)
      onClose()
      done(cause)
    },
  })

  const send = (bytes: Buffer | string): void => {
    isWanted = false
    stream.push(bytes)
  }

  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    leaving = setTimeout(() => stream.destroy(), LINGER)
    stream.push(null)
  }

  const readOn = async (): Promise<Batch | undefined> => ((await mayRead()) ? read(place) : undefined)

  const look = async (): Promise<void> => {
    while (isWanted && mayHaveMore && !isReading && !hasEnded) {
      isReading = true
      // An announcement from here on causes another read, because this one may miss its events.
      mayHaveMore = false
      const batch = await readOn().catch(() => undefined)
      isReading = false
      if (hasEnded) return
      // The store cannot be read, or not by this reader: the client reconnects and resumes at its position, or is
      // refused.
      if (batch === undefined) return end()
      place = batch.place
      mayHaveMore ||= batch.more
      if (batch.bytes.length > 0) send(batch.bytes)
      if (batch.isLast) return end()
    }
  }

  const heartbeats = setInterval(() => {
    if (isWanted && !isReading) send(heartbeat(place))
  }, options.heartbeat)
  const watch = setInterval(() => {
    // While the store is unavailable nothing is read either.
    mayRead().then(
      (may) => may || end(),
      () => {},
    )
  }, WATCH)
  send(first)

  return {
    stream,
    wake() {
      mayHaveMore = true
      void look()
    },
    end,
  }
}
