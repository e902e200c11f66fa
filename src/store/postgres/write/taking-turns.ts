import { StoreUnavailable, type WriteCounts } from '../../port/store.ts'

/** A larger batch only adds latency. */
const LARGEST_BATCH = 64
/** With a longer queue callers are refused, to come back later. */
const LONGEST_QUEUE = 10_000

interface Waiting<J, R> {
  readonly job: J
  readonly resolve: (result: R) => void
  readonly reject: (cause: unknown) => void
}

export interface Turns<J, R> {
  run(key: string, job: J): Promise<R>
  readonly counts: WriteCounts
  /** Refuses what comes from now on, and resolves when everything before it is done. */
  close(): Promise<void>
}

/**
 * Jobs with one key never race each other: while one batch of them is under way the next gathers, and runs together.
 * A lone job runs at once.
 */
export function takingTurns<J, R>(runTogether: (jobs: readonly J[]) => Promise<readonly R[]>): Turns<J, R> {
  const queues = new Map<string, Waiting<J, R>[]>()
  const counts = { commits: 0, changes: 0, waiting: 0 }
  const running = new Set<Promise<void>>()
  let closed = false

  const settle = async (batch: readonly Waiting<J, R>[]): Promise<void> => {
    try {
      const results = await runTogether(batch.map(({ job }) => job))
      counts.commits++
      counts.changes += batch.length
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as R)
    } catch (cause) {
      const [only, ...others] = batch
      if (others.length === 0 || cause instanceof StoreUnavailable) for (const { reject } of batch) reject(cause)
      // One that fails must not take its neighbours along.
      else for (const each of only === undefined ? [] : [only, ...others]) await settle([each])
    }
  }

  const drain = async (key: string, queue: Waiting<J, R>[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, LARGEST_BATCH)
      await settle(batch)
      counts.waiting -= batch.length
    }
    queues.delete(key)
  }

  return {
    counts,
    run: (key, job) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new StoreUnavailable('the store is closed', 5))
        if (counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
        counts.waiting++
        const known = queues.get(key)
        if (known !== undefined) return void known.push({ job, resolve, reject })
        const queue = [{ job, resolve, reject }]
        queues.set(key, queue)
        const drained = drain(key, queue)
        running.add(drained)
        void drained.finally(() => running.delete(drained))
      }),
    async close() {
      closed = true
      await Promise.all(running)
    },
  }
}
