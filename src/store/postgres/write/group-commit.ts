import type { Durations } from '../../../monitoring/durations.ts'
import type { WriteCounts } from '../../port/desk.ts'
import { StoreUnavailable } from '../../port/store.ts'

/** A larger batch only adds latency. */
const LARGEST_BATCH = 128
/** So that one thing leaves capacity for others. */
const LARGEST_TURN = 64
/** With a longer queue callers are refused and should retry later. */
const LONGEST_QUEUE = 10_000

/** Which jobs must not run at the same time. */
export interface TurnName {
  /** Batches of different lanes run concurrently. */
  readonly lane: string
  /** Jobs with one key share a turn; a job without a key has its own turn. */
  readonly key: string | number | undefined
  /** Jobs of different turns that have one of these in common are not under way together. */
  readonly once: readonly string[]
}

/** The state of a turn when the next batch may begin. */
export interface StartedTurn<R> {
  /** Whether its changes are committed. If not, it continues alone, and further jobs for its key wait. */
  readonly isOver: boolean
  /** A result that comes later than the others, or fails, affects only its own job. */
  readonly results: Promise<readonly (R | Promise<R>)[]>
}

/** Runs turns together. Resolves when the next batch may begin. */
export type RunBatch<J, R> = (turns: readonly (readonly J[])[]) => Promise<readonly StartedTurn<R>[]>

export interface BatchedRuns<J, R> {
  run(job: J): Promise<R>
  readonly counts: WriteCounts
  /** Refuses new jobs, and resolves when all earlier ones are done. */
  close(): Promise<void>
}

/**
 * Gathers jobs while a batch is under way: a single job never waits, many share one transaction. Jobs of one turn never
 * race: they run together and in order, and later ones wait.
 */
export function groupCommit<J, R>(
  runBatch: RunBatch<J, R>,
  nameOf: (job: J) => TurnName,
  durations: Durations,
): BatchedRuns<J, R> {
  interface Waiting {
    readonly job: J
    readonly once: readonly string[]
    readonly resolve: (result: R | Promise<R>) => void
    readonly reject: (cause: unknown) => void
  }
  interface Lane {
    readonly queues: Map<unknown, Waiting[]>
    /** The keys of the turns that are under way. */
    readonly busy: Set<unknown>
    isRunning: boolean
  }
  interface Taken {
    readonly lane: Lane
    readonly key: unknown
    readonly jobs: readonly Waiting[]
  }

  const lanes = new Map<string, Lane>()
  /** The turn in which each exclusive name is under way. */
  const held = new Map<string, unknown>()
  const counts = { commits: 0, changes: 0, waiting: 0 }
  let isScheduled = false
  let isClosed = false
  let onIdle = (): void => {}

  /** At the end of this turn of the event loop, so that jobs that arrive together run together. */
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      for (const lane of lanes.values()) void runNext(lane)
      if (counts.waiting === 0) onIdle()
    })
  }

  const runNext = async (lane: Lane): Promise<void> => {
    if (lane.isRunning) return
    const batch = nextBatch(lane)
    if (batch.length === 0) return
    lane.isRunning = true
    const turns = await start(batch)
    lane.isRunning = false
    for (const [at, { isOver }] of turns.entries()) if (isOver) release(batch[at] as Taken)
    // Before the answers to this one are written: the database works meanwhile.
    void runNext(lane)
    for (const [at, { isOver, results }] of turns.entries()) {
      const taken = batch[at] as Taken
      void settle(taken.jobs, results).then(() => {
        if (!isOver) release(taken)
        counts.waiting -= taken.jobs.length
        schedule()
      })
    }
  }

  /** Takes the jobs from the queues that may run now. */
  const nextBatch = (lane: Lane): readonly Taken[] => {
    const batch: Taken[] = []
    let room = LARGEST_BATCH
    for (const [key, queue] of lane.queues) {
      if (room === 0) break
      if (lane.busy.has(key)) continue
      const jobs: Waiting[] = []
      for (const { once } of queue.slice(0, Math.min(room, LARGEST_TURN))) {
        if (once.some((name) => (held.get(name) ?? key) !== key)) break
        for (const name of once) held.set(name, key)
        jobs.push(queue.shift() as Waiting)
      }
      if (jobs.length === 0) continue
      // The rest goes to the end of the line.
      lane.queues.delete(key)
      if (queue.length > 0) lane.queues.set(key, queue)
      lane.busy.add(key)
      room -= jobs.length
      batch.push({ lane, key, jobs })
    }
    return batch
  }

  const release = ({ lane, key, jobs }: Taken): void => {
    lane.busy.delete(key)
    for (const name of jobs.flatMap(({ once }) => once)) held.delete(name)
  }

  const start = async (batch: readonly Pick<Taken, 'jobs'>[]): Promise<readonly StartedTurn<R>[]> => {
    const began = performance.now()
    try {
      const turns = await runBatch(batch.map(({ jobs }) => jobs.map(({ job }) => job)))
      counts.commits++
      durations.observe((performance.now() - began) / 1000)
      return turns
    } catch (cause) {
      return batch.map(() => ({ isOver: true, results: Promise.reject(cause) }))
    }
  }

  const settle = async (jobs: readonly Waiting[], running: StartedTurn<R>['results']): Promise<void> => {
    try {
      const results = await running
      counts.changes += jobs.length
      for (const [at, { resolve }] of jobs.entries()) resolve(results[at] as R | Promise<R>)
      const later = results.filter((result) => result instanceof Promise)
      if (later.length > 0) await Promise.allSettled(later)
    } catch (cause) {
      if (jobs.length === 1 || cause instanceof StoreUnavailable) for (const { reject } of jobs) reject(cause)
      // A failure must not affect the other jobs.
      else {
        for (const each of jobs) {
          for (const { results } of await start([{ jobs: [each] }])) await settle([each], results)
        }
      }
    }
  }

  return {
    counts,
    run: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StoreUnavailable('the store is closed', 5))
        if (counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
        counts.waiting++
        const { lane: name, key = Symbol('alone'), once } = nameOf(job)
        const lane = lanes.get(name) ?? { queues: new Map(), busy: new Set(), isRunning: false }
        lanes.set(name, lane)
        const waiting = { job, once, resolve, reject }
        const queue = lane.queues.get(key)
        if (queue === undefined) lane.queues.set(key, [waiting])
        else queue.push(waiting)
        schedule()
      }),
    async close() {
      isClosed = true
      if (counts.waiting === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
  }
}
