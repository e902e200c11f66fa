import { Readable } from 'node:stream'
import { heartbeat, opening } from './event-stream.ts'

/** Some events behind a place, ready to be sent. */
export interface Batch {
  /** Empty when there was nothing. */
  readonly bytes: Buffer
  /** The place behind them, as clients know it. */
  readonly place: string
  readonly more: boolean
}

export interface Follower {
  readonly stream: Readable
  /** There may be something new. */
  wake(): void
  /** The stream ends after what was sent; a client comes back by itself. */
  end(): void
}

export interface FollowerOptions {
  readonly from: string
  readonly read: (place: string) => Promise<Batch>
  /** Milliseconds between two signs of life. */
  readonly heartbeat: number
  readonly onClose: () => void
}

/** How long an ended stream waits for its reader to take the rest. */
const LINGER = 1000

/**
 * One reader of the feed. It reads behind its own place, and only when its socket has taken what came before:
 * a slow one holds two batches at most, whatever happens meanwhile.
 */
export function followFeed({ from, read, onClose, ...options }: FollowerOptions): Follower {
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

  const look = async (): Promise<void> => {
    while (isWanted && mayHaveMore && !isReading && !hasEnded) {
      isReading = true
      // What is announced from here on is looked for again: it may come too late for this read.
      mayHaveMore = false
      const batch = await read(place).catch(() => undefined)
      isReading = false
      if (hasEnded) return
      // The store cannot be read: the client comes back, and goes on where it was.
      if (batch === undefined) return end()
      place = batch.place
      mayHaveMore ||= batch.more
      if (batch.bytes.length > 0) send(batch.bytes)
    }
  }

  const heartbeats = setInterval(() => {
    if (isWanted && !isReading) send(heartbeat(place))
  }, options.heartbeat)
  send(opening(place))

  return {
    stream,
    wake() {
      mayHaveMore = true
      void look()
    },
    end,
  }
}
