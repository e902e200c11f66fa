import type { Changes, Desk } from '../../store/port/desk.ts'

/** In milliseconds: other instances write too. */
const LONGEST = 1000
/** The number of keys whose results are kept. */
const MOST = 100

interface Kept<T> {
  readonly result: Promise<T>
  /** The number of changes when it was read. */
  readonly changes: number
  readonly until: number
}

/**
 * Reuses a result until this process has written something or has heard of events, and at most for a second: readers of
 * the same list share it, and a user sees their own changes. It is read at the desk that they share. Any further
 * argument must follow from the key.
 */
export function untilChanged<T, Rest extends readonly unknown[]>(
  read: (shared: Desk, key: string, ...rest: Rest) => Promise<T>,
): (desk: Desk, key: string, ...rest: Rest) => Promise<T> {
  const kept = new WeakMap<Desk, Map<string, Kept<T>>>()
  return ({ shared }, key, ...rest) => {
    const ofDesk = kept.get(shared) ?? new Map<string, Kept<T>>()
    kept.set(shared, ofDesk)
    const changes = writesOf(shared.changes) + eventsHeard(shared.changes)
    const now = performance.now()
    const known = ofDesk.get(key)
    if (known !== undefined && known.changes === changes && now < known.until) return known.result
    const result = read(shared, key, ...rest)
    if (ofDesk.size >= MOST) ofDesk.clear()
    ofDesk.set(key, { result, changes, until: now + LONGEST })
    result.catch(() => ofDesk.delete(key))
    return result
  }
}

/** Grows with each write of this process: with each begun commit and each finished change. */
export const writesOf = ({ counts }: Changes): number => counts.commits + counts.changes

/** The number of notifications of other writers; pages that follow the feed are rendered again at such times. */
function eventsHeard(changes: Changes): number {
  const known = heard.get(changes)
  if (known !== undefined) return known.times
  const counter = { times: 0 }
  heard.set(changes, counter)
  changes.onEvents(() => {
    counter.times++
  })
  return 0
}

const heard = new WeakMap<Changes, { readonly times: number }>()
