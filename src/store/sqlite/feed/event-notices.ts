import type { DatabaseSync } from 'node:sqlite'
import { type EventNotices, eventListeners } from '../../transactions/event-listeners.ts'

/** Milliseconds between two polls for commits of other processes. */
const POLL = 200

/** `db` must not be the connection that writes: it notices the commits of all others. */
export function eventNotices(db: DatabaseSync): EventNotices {
  const version = db.prepare('PRAGMA data_version')
  let polling: NodeJS.Timeout | undefined
  let seen: unknown

  const listeners = eventListeners(() => {
    clearInterval(polling)
    polling = undefined
  })
  const look = (): void => {
    const now = version.get()?.data_version
    if (now === seen) return
    seen = now
    listeners.call()
  }

  return {
    notify() {
      // The next poll does not tell of these commits again.
      if (polling !== undefined) seen = version.get()?.data_version
      listeners.call()
    },
    onEvents(listener) {
      if (polling === undefined) {
        seen = version.get()?.data_version
        polling = setInterval(look, POLL).unref()
      }
      return listeners.add(listener)
    },
    settled: async () => {},
    close: listeners.clear,
  }
}
