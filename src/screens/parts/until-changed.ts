import type { Changes, Desk } from '../../store/port/desk.ts'

/** In milliseconds: writes of other instances are not all heard of. */
const SHORTEST = 1000
/** In milliseconds: a slow database does not mean an expensive query. */
const LONGEST = 5000
/** In milliseconds: a purge by another process has no events. */
const LONGEST_HEARD_OF = 600_000
/** An expensive result is reused for this many times as long as it took to read. */
const REUSE = 20

/** The number of keys whose results are kept. */
const MOST = 100

/**
 * Reuses a result until this process has written something, so that a user sees their own changes, or has heard of
 * events, and at most for a second. An expensive one is kept, whatever others write, for a time proportional to its
 * cost, so that the store spends at most a twentieth of its time on it, however many people ask. Calls with the same
 * key share a read, at the desk that the callers share, and one is under way at a time. Any further argument must
 * follow from the key.
 */
export function untilChanged<T, Rest extends readonly unknown[]>(
  read: (shared: Desk, key: string, ...rest: Rest) => Promise<T>,
  { isHeardOf = false, clock = () => performance.now() }: Keeping = {},
): (desk: Desk, key: string, ...rest: Rest) => Promise<T> {
  const kept = new WeakMap<Desk, Map<string, Kept<T>>>()
  return ({ shared }, key, ...rest) => {
    const ofDesk = kept.get(shared) ?? new Map<string, Kept<T>>()
    kept.set(shared, ofDesk)
    const { changes } = shared
    const known = ofDesk.get(key)
    if (known !== undefined && isCurrent(known, changes, clock())) return known.result

    const begin = async (): Promise<T> => {
      entry.writes = writesOf(changes)
      entry.heard = eventsHeard(changes)
      const started = clock()
      try {
        const result = await read(shared, key, ...rest)
        const reuse = (clock() - started) * REUSE
        entry.isExpensive = reuse > SHORTEST
        entry.until = clock() + Math.min(Math.max(reuse, SHORTEST), LONGEST)
        entry.untilUnheard = isHeardOf ? clock() + LONGEST_HEARD_OF : entry.until
        return result
      } catch (cause) {
        if (ofDesk.get(key) === entry) ofDesk.delete(key)
        throw cause
      }
    }
    const previous = known?.until === UNDER_WAY ? known.result : undefined
    const result = previous === undefined ? begin : () => Promise.allSettled([previous]).then(begin)
    const entry: Kept<T> = { result: Promise.resolve().then(result), until: UNDER_WAY, untilUnheard: UNDER_WAY }
    if (ofDesk.size >= MOST) ofDesk.clear()
    ofDesk.set(key, entry)
    return entry.result
  }
}

interface Keeping {
  /** Whether each change of what is read has an event: then it is kept until one is heard of, not for a second. */
  readonly isHeardOf?: boolean
  readonly clock?: () => number
}

const UNDER_WAY = Number.POSITIVE_INFINITY

interface Kept<T> {
  readonly result: Promise<T>
  until: number
  /** The same, if nothing is heard of. */
  untilUnheard: number
  isExpensive?: boolean
  /** The numbers of writes and of notifications before it was read; undefined while it waits for the previous read. */
  writes?: number
  heard?: number
}

function isCurrent(
  { writes, heard, isExpensive, until, untilUnheard }: Kept<unknown>,
  changes: Changes,
  now: number,
): boolean {
  if (writes === undefined) return true
  if (writes !== writesOf(changes)) return false
  return heard === eventsHeard(changes) ? now < untilUnheard : isExpensive === true && now < until
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
