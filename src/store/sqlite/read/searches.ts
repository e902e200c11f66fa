import { availableParallelism } from 'node:os'
import { type SearchOptions, SearchTooCostly } from '../../port/store.ts'
import { openReaders } from './readers.ts'
import type { RunStep } from './search-text.ts'

/** Milliseconds of CPU for the search for a page. */
const BUDGET = 2000
/** Milliseconds of CPU up to which a search may overtake longer ones. */
const SHORT = 50
/** As many threads as there are spare cores, because each needs memory. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

/** Searches run in threads of their own. After each step a search goes to the end of the queue, behind new ones. */
export interface Searches {
  /** Throws `SearchTooCostly` when a budget is used up, and the signal's reason when it is aborted. */
  search<T>(find: (run: RunStep) => Promise<T>, options: SearchOptions): Promise<T>
  readonly counts: { readonly waiting: number }
  close(): Promise<void>
}

export function openSearches(path: string): Searches {
  const threads = Array.from({ length: THREADS }, () => ({
    reader: openReaders(path, 1),
    searches: 0,
  }))
  let number = 0

  return {
    async search(find, { signal, unbounded = false }) {
      // A search stays in one thread, which has its matches.
      const thread = threads.reduce((least, each) => (each.searches < least.searches ? each : least))
      const search = number++
      let used = 0
      thread.searches++
      try {
        return await find(async (selects) => {
          signal?.throwIfAborted()
          if (!unbounded && used >= BUDGET) throw new SearchTooCostly()
          const step = await thread.reader.read({ selects, lines: false, search, ahead: used < SHORT })
          if (!('took' in step)) throw new Error('a reader gave no step')
          used += step.took
          return step.found && { rows: step.found, took: step.took }
        })
      } finally {
        thread.searches--
        thread.reader.notify({ ended: search })
      }
    },
    counts: {
      get waiting() {
        return threads.reduce((sum, { reader }) => sum + reader.counts.waiting, 0)
      },
    },
    async close() {
      await Promise.all(threads.map(({ reader }) => reader.close()))
    },
  }
}
