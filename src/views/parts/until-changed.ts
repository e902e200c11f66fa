import type { Store } from '../../store/port/store.ts'

/** In milliseconds: other instances write too. */
const LONGEST = 1000
/** Results of so many keys are kept. */
const MOST = 100

interface Kept<T> {
  readonly result: Promise<T>
  /** How many changes there were when it was read. */
  readonly changes: number
  readonly until: number
}

/**
 * Reuses what was read until this process has written something or has heard of events, and at most for a second: many
 * who look at the same list share it, and whoever changes something sees the change. Any further argument must follow
 * from the key.
 */
export function untilChanged<T, Rest extends readonly unknown[]>(
  read: (store: Store, key: string, ...rest: Rest) => Promise<T>,
): (store: Store, key: string, ...rest: Rest) => Promise<T> {
  const kept = new WeakMap<Store, Map<string, Kept<T>>>()
  return (store, key, ...rest) => {
    const ofStore = kept.get(store) ?? new Map<string, Kept<T>>()
    kept.set(store, ofStore)
    const changes = writesOf(store) + eventsHeard(store)
    const now = performance.now()
    const known = ofStore.get(key)
    if (known !== undefined && known.changes === changes && now < known.until) return known.result
    const result = read(store, key, ...rest)
    if (ofStore.size >= MOST) ofStore.clear()
    ofStore.set(key, { result, changes, until: now + LONGEST })
    result.catch(() => ofStore.delete(key))
    return result
  }
}

/** Grows with each write of this process: a batch that was begun is counted as a commit, what is done as a change. */
export const writesOf = ({ counts }: Store): number => counts.commits + counts.changes

/** How often others may have written; pages that follow the feed are shown anew at such times. */
function eventsHeard(store: Store): number {
  const known = heard.get(store)
  if (known !== undefined) return known.times
  const counter = { times: 0 }
  heard.set(store, counter)
  store.onEvents(() => {
    counter.times++
  })
  return 0
}

const heard = new WeakMap<Store, { readonly times: number }>()
