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

interface Waiting<J, R> {
  readonly job: J
  readonly once: readonly string[]
  readonly resolve: (result: R | Promise<R>) => void
  readonly reject: (cause: unknown) => void
}

interface Lane<J, R> {
  readonly queues: Map<unknown, Waiting<J, R>[]>
  /** The keys of the turns that are under way. */
  readonly busy: Set<unknown>
  isRunning: boolean
}

interface Taken<J, R> {
  readonly lane: Lane<J, R>
  readonly key: unknown
  readonly jobs: readonly Waiting<J, R>[]
}

/**
 * Gathers jobs while a batch is under way: a single job never waits, many share one transaction. Jobs of one turn never
 * race: they run together and in order, and later ones wait.
 */
export class GroupCommit<J, R> implements BatchedRuns<J, R> {
  readonly counts = { commits: 0, changes: 0, waiting: 0 }
  readonly #runBatch: RunBatch<J, R>
  readonly #nameOf: (job: J) => TurnName
  readonly #durations: Durations
  readonly #lanes = new Map<string, Lane<J, R>>()
  /** The turn in which each exclusive name is under way. */
  readonly #held = new Map<string, unknown>()
  #isScheduled = false
  #isClosed = false
  #onIdle = (): void => {}

  constructor(runBatch: RunBatch<J, R>, nameOf: (job: J) => TurnName, durations: Durations) {
    this.#runBatch = runBatch
    this.#nameOf = nameOf
    this.#durations = durations
  }

  run(job: J): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new StoreUnavailable('the store is closed', 5))
      if (this.counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
      this.counts.waiting++
      const { lane: name, key = Symbol('alone'), once } = this.#nameOf(job)
      const lane = this.#lanes.get(name) ?? { queues: new Map(), busy: new Set(), isRunning: false }
      this.#lanes.set(name, lane)
      const waiting = { job, once, resolve, reject }
      const queue = lane.queues.get(key)
      if (queue === undefined) lane.queues.set(key, [waiting])
      else queue.push(waiting)
      this.#schedule()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.counts.waiting === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  /** At the end of this turn of the event loop, so that jobs that arrive together run together. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      for (const lane of this.#lanes.values()) void this.#runNext(lane)
      if (this.counts.waiting === 0) this.#onIdle()
    })
  }

  async #runNext(lane: Lane<J, R>): Promise<void> {
    if (lane.isRunning) return
    const batch = this.#nextBatch(lane)
    if (batch.length === 0) return
    lane.isRunning = true
    const turns = await this.#start(batch)
    lane.isRunning = false
    for (const [at, { isOver }] of turns.entries()) if (isOver) this.#release(batch[at] as Taken<J, R>)
    // Before the answers to this one are written: the database works meanwhile.
    void this.#runNext(lane)
    for (const [at, { isOver, results }] of turns.entries()) {
      const taken = batch[at] as Taken<J, R>
      void this.#settle(taken.jobs, results).then(() => {
        if (!isOver) this.#release(taken)
        this.counts.waiting -= taken.jobs.length
        this.#schedule()
      })
    }
  }

  /** Takes the jobs from the queues that may run now. */
  #nextBatch(lane: Lane<J, R>): readonly Taken<J, R>[] {
    const batch: Taken<J, R>[] = []
    let room = LARGEST_BATCH
    for (const [key, queue] of lane.queues) {
      if (room === 0) break
      if (lane.busy.has(key)) continue
      const jobs = this.#takeTurn(key, queue, Math.min(room, LARGEST_TURN))
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

  /** Takes jobs from the front of a queue, up to the first one that must wait for another turn. */
  #takeTurn(key: unknown, queue: Waiting<J, R>[], most: number): readonly Waiting<J, R>[] {
    const jobs: Waiting<J, R>[] = []
    for (const { once } of queue.slice(0, most)) {
      if (once.some((name) => (this.#held.get(name) ?? key) !== key)) break
      for (const name of once) this.#held.set(name, key)
      jobs.push(queue.shift() as Waiting<J, R>)
    }
    return jobs
  }

  #release({ lane, key, jobs }: Taken<J, R>): void {
    lane.busy.delete(key)
    for (const name of jobs.flatMap(({ once }) => once)) this.#held.delete(name)
  }

  async #start(batch: readonly Pick<Taken<J, R>, 'jobs'>[]): Promise<readonly StartedTurn<R>[]> {
    const began = performance.now()
    try {
      const turns = await this.#runBatch(batch.map(({ jobs }) => jobs.map(({ job }) => job)))
      this.counts.commits++
      this.#durations.observe((performance.now() - began) / 1000)
      return turns
    } catch (cause) {
      return batch.map(() => ({ isOver: true, results: Promise.reject(cause) }))
    }
  }

  async #settle(jobs: readonly Waiting<J, R>[], running: StartedTurn<R>['results']): Promise<void> {
    try {
      const results = await running
      this.counts.changes += jobs.length
      for (const [at, { resolve }] of jobs.entries()) resolve(results[at] as R | Promise<R>)
      const later = results.filter((result) => result instanceof Promise)
      if (later.length > 0) await Promise.allSettled(later)
    } catch (cause) {
      if (jobs.length === 1 || cause instanceof StoreUnavailable) for (const { reject } of jobs) reject(cause)
      // A failure must not affect the other jobs.
      else {
        for (const each of jobs) {
          for (const { results } of await this.#start([{ jobs: [each] }])) await this.#settle([each], results)
        }
      }
    }
  }
}
