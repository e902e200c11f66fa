import type { Store } from '../../store/port/store.ts'

/** A dear answer is given again for this many times as long as it took to find. */
const REUSE = 20

/**
 * Reads something that looks at everything. While it is cheap, every reader gets it fresh; the longer it takes, the
 * longer it is kept, so that no number of readers makes the store do more than a twentieth of its time for it.
 */
export function sparing<K, T>(read: (store: Store, key: K) => Promise<T>): (store: Store, key: K) => Promise<T> {
  const known = new WeakMap<Store, { readonly key: string; readonly answer: Promise<T>; until: number }>()
  return (store, key) => {
    const started = performance.now()
    const name = JSON.stringify(key)
    const kept = known.get(store)
    if (kept !== undefined && kept.key === name && started < kept.until) return kept.answer
    const entry = { key: name, answer: read(store, key), until: Number.POSITIVE_INFINITY }
    known.set(store, entry)
    entry.answer.then(
      () => {
        const took = performance.now() - started
        entry.until = took < CHEAP ? 0 : performance.now() + took * REUSE
      },
      () => known.delete(store),
    )
    return entry.answer
  }
}

/** Milliseconds that nobody minds. */
const CHEAP = 20
