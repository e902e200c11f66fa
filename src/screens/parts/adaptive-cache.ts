import type { Desk } from '../../store/port/desk.ts'
import { writesOf } from './until-changed.ts'

/** A result is reused for this many times as long as it took to read. */
const REUSE = 20

/** In milliseconds: other instances write too, and a slow database does not mean an expensive query. */
const LONGEST = 5000

/** In milliseconds; a faster result is not reused. */
const CHEAP = 20

/** The number of keys whose results are kept. */
const MOST = 50

/**
 * Caches an expensive read for a time proportional to its cost, so that the store spends at most a twentieth of its
 * time on it, however many people ask. It is read again after a write of this process, so a user sees their own
 * changes. Calls with the same key share a read, at the desk that the callers share, and one is under way at a time.
 * Any further argument must follow from the key.
 */
export function adaptiveCache<T, Rest extends readonly unknown[]>(
  read: (shared: Desk, key: string, ...rest: Rest) => Promise<T>,
  clock: () => number = () => performance.now(),
): (desk: Desk, key: string, ...rest: Rest) => Promise<T> {
  const cached = new WeakMap<Desk, Map<string, CachedResult<T>>>()
  return ({ shared }, key, ...rest) => {
    const ofDesk = cached.get(shared) ?? new Map<string, CachedResult<T>>()
    cached.set(shared, ofDesk)
    const writes = (): number => writesOf(shared.changes)
    const known = ofDesk.get(key)
    if (known !== undefined && clock() < known.until && (known.writes ?? writes()) === writes()) return known.result

    const begin = async (): Promise<T> => {
      entry.writes = writes()
      const started = clock()
      try {
        const result = await read(shared, key, ...rest)
        const took = clock() - started
        entry.until = took < CHEAP ? 0 : clock() + Math.min(took * REUSE, LONGEST)
        return result
      } catch (cause) {
        entry.until = 0
        throw cause
      } finally {
        if (entry.until === 0 && ofDesk.get(key) === entry) ofDesk.delete(key)
      }
    }
    const previous = known?.until === UNDER_WAY ? known.result : undefined
    const entry: CachedResult<T> = { result: Promise.allSettled([previous]).then(begin), until: UNDER_WAY }
    if (ofDesk.size >= MOST) ofDesk.clear()
    ofDesk.set(key, entry)
    return entry.result
  }
}

const UNDER_WAY = Number.POSITIVE_INFINITY

interface CachedResult<T> {
  readonly result: Promise<T>
  until: number
  /** The number of writes before it was read; undefined while it waits for the previous read. */
  writes?: number
}
