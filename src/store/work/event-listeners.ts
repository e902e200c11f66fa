import type { Store } from '../port/store.ts'

/** The listeners for new events, as every store keeps them. */
export interface EventNotices extends Pick<Store, 'onEvents'> {
  /** Events were committed here. */
  notify(): void
  close(): void
}

export interface EventListeners {
  readonly any: boolean
  call(): void
  /** Returns a function that ends the subscription. */
  add(listener: () => void): () => void
  clear(): void
}

/** `onLast` is called when the last listener has left. */
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
      // A function that is added twice is called twice.
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
