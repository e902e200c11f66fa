import type { Store } from '../port/store.ts'

/** Who wants to hear of new events, and what a store does for them. */
export interface EventNotices extends Pick<Store, 'onEvents'> {
  /** Events were committed here. */
  notify(): void
  close(): void
}

export interface EventListeners {
  readonly any: boolean
  call(): void
  /** Answers with what ends it. */
  add(listener: () => void): () => void
  clear(): void
}

/** `onLast` is told when nobody listens any more. */
export function eventListeners(onLast: () => void): EventListeners {
  const listeners = new Set<() => void>()
  return {
    get any() {
      return listeners.size > 0
    },
    call() {
      for (const listener of listeners) listener()
    },
    add(listener) {
      // A function may be given twice, and is then called twice.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) onLast()
      }
    },
    clear() {
      listeners.clear()
      onLast()
    },
  }
}
