import type { Store } from '../../store/port/store.ts'

/** In milliseconds: other instances write too. */
const LONGEST = 1000
/** Results of so many keys are kept. */
const MOST = 100

interface Kept<T> {
  readonly result: Promise<T>
  /** How many commits there were when it was read. */
  readonly commits: number
  readonly until: number
}

/**
 * Reuses what was read until this process has written something, and at most for a second: many who look at the same
 * list share it, and whoever changes something sees the change. Any further argument must follow from the key.
 */
export function untilChanged<T, Rest extends readonly unknown[]>(
  read: (store: Store, key: string, ...rest: Rest) => Promise<T>,
): (store: Store, key: string, ...rest: Rest) => Promise<T> {
  const kept = new WeakMap<Store, Map<string, Kept<T>>>()
  return (store, key, ...rest) => {
    const ofStore = kept.get(store) ?? new Map<string, Kept<T>>()
    kept.set(store, ofStore)
    const { commits } = store.counts
    const now = performance.now()
    const known = ofStore.get(key)
    if (known !== undefined && known.commits === commits && now < known.until) return known.result
    const result = read(store, key, ...rest)
    if (ofStore.size >= MOST) ofStore.clear()
    ofStore.set(key, { result, commits, until: now + LONGEST })
    result.catch(() => ofStore.delete(key))
    return result
  }
}
