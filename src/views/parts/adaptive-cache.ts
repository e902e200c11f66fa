import type { Store } from '../../store/port/store.ts'

/** A result is reused for this many times as long as it took to read. */
const REUSE = 20

/** In milliseconds; a faster result is not reused. */
const CHEAP = 20

/** Results of so many keys are kept. */
const MOST = 50

/**
 * Caches an expensive read for a time proportional to its cost, so that the store spends at most a twentieth of its
 * time on it, however many people ask. Calls with the same key share a read that is under way. Any further argument must
 * follow from the key.
 */
export function adaptiveCache<T, Rest extends readonly unknown[]>(
  read: (store: Store, key: string, ...rest: Rest) => Promise<T>,
): (store: Store, key: string, ...rest: Rest) => Promise<T> {
  const cached = new WeakMap<Store, Map<string, CachedResult<T>>>()
  return (store, key, ...rest) => {
    const started = performance.now()
    const ofStore = cached.get(store) ?? new Map<string, CachedResult<T>>()
    cached.set(store, ofStore)
    const known = ofStore.get(key)
    if (known !== undefined && started < known.until) return known.result
    const entry = { result: read(store, key, ...rest), until: Number.POSITIVE_INFINITY }
    if (ofStore.size >= MOST) ofStore.clear()
    ofStore.set(key, entry)
    const forget = () => ofStore.get(key) === entry && ofStore.delete(key)
    entry.result.then(() => {
      const took = performance.now() - started
      if (took < CHEAP) forget()
      else entry.until = performance.now() + took * REUSE
    }, forget)
    return entry.result
  }
}

interface CachedResult<T> {
  readonly result: Promise<T>
  until: number
}
