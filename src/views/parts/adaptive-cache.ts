import type { Store } from '../../store/port/store.ts'

/** A result is reused for this many times as long as it took to read. */
const REUSE = 20

/** In milliseconds; a faster result is not reused. */
const CHEAP = 20

/**
 * Caches an expensive read for a time proportional to its cost, so that the store spends at most a twentieth of its
 * time on it, however many people ask. Calls with the same key share a read that is under way.
 */
export function adaptiveCache<T>(
  read: (store: Store, key: string) => Promise<T>,
): (store: Store, key: string) => Promise<T> {
  const cached = new WeakMap<Store, { readonly key: string; readonly result: Promise<T>; until: number }>()
  return (store, key) => {
    const started = performance.now()
    const known = cached.get(store)
    if (known !== undefined && known.key === key && started < known.until) return known.result
    const entry = { key, result: read(store, key), until: Number.POSITIVE_INFINITY }
    cached.set(store, entry)
    entry.result.then(
      () => {
        const took = performance.now() - started
        entry.until = took < CHEAP ? 0 : performance.now() + took * REUSE
      },
      () => cached.delete(store),
    )
    return entry.result
  }
}
