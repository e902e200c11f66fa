import type { Store } from '../port/store.ts'

/** The listeners for new events, as every store keeps them. */
export interface EventNotices extends Pick<Store, 'onEvents' | 'settled'> {
  /** Events were committed here. */
  notify(): void
  close(): void
}

/** `onLast` is called when the last listener has left. */
export function eventListeners(onLast: () => void) {
  const listeners = new Set<() => void>()
  return {
    get any(): boolean {
      return listeners.size > 0
    },
    call(): void {
      for (const listener of listeners) listener()
    },
    /** Returns a function that ends the subscription. */
    add(listener: () => void): () => void {
      // A function that is added twice is called twice.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) onLast()
      }
    },
    clear(): void {
      listeners.clear()
      onLast()
    },
  }
}
