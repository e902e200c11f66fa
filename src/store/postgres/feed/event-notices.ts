import { setTimeout as wait } from 'node:timers/promises'
import { type EventNotices, eventListeners } from '../../transactions/event-listeners.ts'
import { type Connections, EVENTS_CHANNEL } from '../connect/connections.ts'

/** Milliseconds between two polls, between polls while written events are not readable yet, and between notifications. */
export const POLL = 500
const SOON = 10
const GAP = 50

/**
 * A notification of a commit may come before its events can be read, since the feed holds back events that could be
 * overtaken: listeners are called when the feed's end has moved.
 */
export function eventNotices({ read, write, onWord }: Connections): EventNotices {
  const listeners = eventListeners(() => {
    clearTimeout(planned)
    isSoon = false
  })
  let seen: unknown
  let isLooking = false
  let isWanted = false
  let lastLook = 0
  let planned: NodeJS.Timeout | undefined
  let isSoon = false
  let nextWord: NodeJS.Timeout | undefined
  let isUnsaid = false

  const look = async (): Promise<void> => {
    isLooking = true
    isSoon = false
    isWanted = false
    lastLook = performance.now()
    // No news while the database cannot be reached.
    const rows = await read(PLACES, []).catch(() => [])
    isLooking = false
    if (!listeners.any) return
    const [readable = seen, written = readable] = rows[0] ?? []
    if (isWanted || readable !== written) lookSoon(SOON)
    else lookIn(POLL)
    if (readable === seen) return
    seen = readable
    listeners.call()
  }

  const lookIn = (milliseconds: number): void => {
    clearTimeout(planned)
    planned = setTimeout(look, milliseconds).unref()
  }

  /** A look that comes soon stays as planned: words that follow each other closely would put it off. */
  const lookSoon = (milliseconds: number): void => {
    if (isSoon) return
    isSoon = true
    lookIn(milliseconds)
  }

  const hurry = (): void => {
    if (isLooking) isWanted = true
    else if (listeners.any) lookSoon(Math.max(0, lastLook + SOON - performance.now()))
  }

  /** At once, then no more often than every `GAP`: each notification makes all instances poll. */
  const say = (): void => {
    isUnsaid = nextWord !== undefined
    if (isUnsaid) return
    write(SAY, []).catch(() => {})
    nextWord = setTimeout(() => {
      nextWord = undefined
      if (isUnsaid) say()
    }, GAP).unref()
  }

  onWord(hurry)
  return {
    notify() {
      hurry()
      say()
    },
    onEvents(listener) {
      const end = listeners.add(listener)
      hurry()
      return end
    },
    async settled() {
      const [[, written] = []] = await read(PLACES, [])
      if (written === null || written === undefined) return
      for (;;) {
        const [[readable] = []] = await read(PLACES, [])
        if (readable !== null && String(readable) >= String(written)) return
        await wait(SOON)
      }
    },
    close() {
      listeners.clear()
      clearTimeout(nextWord)
    },
  }
}

/** The last visible event, and the last written one; neither if all were trimmed. */
const PLACES = {
  name: 'feed-places',
  text: `SELECT (SELECT sequence FROM feed ORDER BY sequence DESC LIMIT 1),
    (SELECT sequence FROM events WHERE sequence > coalesce((SELECT max(upto) FROM trimmed_feed), '')
      ORDER BY sequence DESC LIMIT 1)`,
}

/** Not synced: losing a notification with the server does no harm. */
const SAY = {
  name: 'say-events',
  text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${EVENTS_CHANNEL}', '')`,
}
