import { availableParallelism } from 'node:os'
import { fewAtOnce } from '../../few-at-once.ts'
import type { SearchOptions } from '../../port/desk.ts'
import { SearchTooCostly, StoreUnavailable } from '../../port/store.ts'
import { openReaders } from './readers.ts'
import type { RunStep } from './search-text.ts'

/** Milliseconds of CPU for a page. */
const BUDGET = 2000
/** Milliseconds of CPU up to which a search may overtake longer ones. */
const SHORT = 50
/**
 * Milliseconds after which a search that has used this share of its budget is refused, because its client has waited
 * long enough.
 */
const LONGEST_WAIT = 10_000
const PART = 4
/** As many threads as there are spare cores, because each needs memory. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

/** A search that has begun, in one thread. */
export interface StepSearch {
  /** Runs a step. Throws `SearchTooCostly` when the budget is used up, and the signal's reason when it is aborted. */
  readonly run: RunStep
  /** The name of a temporary table of this search; it is dropped when the search ends. */
  temporary(name: string): string
}

/** Searches run in separate threads. After each step a search goes to the end of the queue, after new ones. */
export interface Searches {
  search<T>(find: (search: StepSearch) => Promise<T>, options: SearchOptions): Promise<T>
  /** Items as lines, without a budget. Their tables last for as long as a client reads, so few run at once. */
  stream(
    read: (search: StepSearch) => AsyncIterable<readonly string[]>,
    options: SearchOptions,
  ): AsyncIterable<Uint8Array>
  readonly counts: { readonly waiting: number }
  close(): Promise<void>
}

export function openSearches(path: string, budget: number = BUDGET): Searches {
  const threads = Array.from({ length: THREADS }, () => ({
    reader: openReaders(path, 1),
    /** Searches have numbered slots, so that few names of tables are in use. */
    slots: new Set<number>(),
  }))
  let number = 0
  const few = fewAtOnce()

  const begin = ({ signal, unbounded = false }: SearchOptions): StepSearch & { end(): void } => {
    // A search stays in one thread, which has its matches and its tables.
    const thread = threads.reduce((least, each) => (each.slots.size < least.slots.size ? each : least))
    const search = number++
    const slot = firstFree(thread.slots)
    thread.slots.add(slot)
    const tables = new Set<string>()
    const started = performance.now()
    let used = 0
    /** Whether the thread may keep what a step found before it ended early. */
    let isKept = false
    const isTooCostly = (): boolean =>
      used >= budget || (used >= budget / PART && performance.now() - started >= LONGEST_WAIT)
    const stopped = thread.reader.counts.stopped
    const failed = (cause: unknown): never => {
      if (tables.size === 0 || thread.reader.counts.stopped === stopped) throw cause
      throw new StoreUnavailable('a reader stopped', 1, cause)
    }
    return {
      async run(selects) {
        signal?.throwIfAborted()
        if (!unbounded && isTooCostly()) throw new SearchTooCostly()
        isKept = true
        const step = await thread.reader.read({ selects, as: 'rows', search, ahead: used < SHORT }).catch(failed)
        if (!('took' in step)) throw new Error('a reader gave no step')
        used += step.took
        isKept = step.found === undefined
        return step.found && { rows: step.found, took: step.took }
      },
      temporary(name) {
        const table = `${name}_${slot}`
        tables.add(table)
        return `temp.${table}`
      },
      end() {
        thread.slots.delete(slot)
        if (isKept || tables.size > 0) thread.reader.notify({ ended: search, tables: [...tables] })
      },
    }
  }

  async function* lines(
    read: (search: StepSearch) => AsyncIterable<readonly string[]>,
    signal: AbortSignal | undefined,
  ): AsyncIterable<Uint8Array> {
    const search = begin({ signal, unbounded: true })
    try {
      for await (const items of read(search)) yield new TextEncoder().encode(`${items.join('\n')}\n`)
    } finally {
      search.end()
    }
  }

  return {
    async search(find, options) {
      const search = begin(options)
      try {
        return await find(search)
      } finally {
        search.end()
      }
    },
    stream: (read, { signal }) => few(lines(read, signal)),
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

function firstFree(taken: ReadonlySet<number>): number {
  let slot = 0
  while (taken.has(slot)) slot++
  return slot
}
