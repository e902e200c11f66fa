import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** How often the file is looked at for what other processes wrote, in milliseconds. */
const POLL = 200

/** Who wants to hear of new events. */
export interface EventNotices extends Pick<Store, 'onEvents'> {
  /** Events were committed here. */
  notify(): void
  close(): void
}

/** `db` must not be the connection that writes: it notices the commits of all others. */
export function eventNotices(db: DatabaseSync): EventNotices {
  const version = db.prepare('PRAGMA data_version')
  const listeners = new Set<() => void>()
  let polling: NodeJS.Timeout | undefined
  let seen: unknown

  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const look = (): void => {
    const now = version.get()?.data_version
    if (now === seen) return
    seen = now
    notify()
  }
  const stop = (): void => {
    clearInterval(polling)
    polling = undefined
  }

  return {
    notify,
    onEvents(listener) {
      // A function may be given twice, and is then called twice.
      const own = () => listener()
      listeners.add(own)
      if (polling === undefined) {
        seen = version.get()?.data_version
        polling = setInterval(look, POLL).unref()
      }
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) stop()
      }
    },
    close() {
      listeners.clear()
      stop()
    },
  }
}
