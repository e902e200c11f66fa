import { StoreUnavailable, type WriteCounts } from '../../port/store.ts'

/** A larger batch only adds latency. */
const LARGEST_BATCH = 128
/** So that one thing leaves room for others. */
const LARGEST_TURN = 64
/** With a longer queue callers are refused, to come back later. */
const LONGEST_QUEUE = 10_000

/** What a job must not be beside. */
export interface TurnName {
  /** Batches of different lanes run beside each other. */
  readonly lane: string
  /** Jobs with one key take one turn; one without a key has a turn of its own. */
  readonly key: string | number | undefined
  /** Jobs of different turns with one of these are not under way together. */
  readonly once: string | undefined
}

/**
 * Runs turns together. Resolves when the next batch may begin, with a promise for each turn: one that is not over by
 * then goes on alone.
 */
export type RunBatch<J, R> = (turns: readonly (readonly J[])[]) => Promise<readonly Promise<readonly R[]>[]>

export interface BatchedRuns<J, R> {
  run(job: J): Promise<R>
  readonly counts: WriteCounts
  /** Refuses what comes from now on, and resolves when everything before it is done. */
  close(): Promise<void>
}

/**
 * Gathers jobs while a batch is under way: a lone job never waits, many share one transaction. Jobs of one turn never
 * race each other: they run together and in their order, and those that come meanwhile wait.
 */
export function groupCommit<J, R>(runBatch: RunBatch<J, R>, nameOf: (job: J) => TurnName): BatchedRuns<J, R> {
  interface Waiting {
    readonly job: J
    readonly once: string | undefined
    readonly resolve: (result: R) => void
    readonly reject: (cause: unknown) => void
  }
  interface Lane {
    readonly queues: Map<unknown, Waiting[]>
    /** The keys of the turns that are under way. */
    readonly busy: Set<unknown>
    isRunning: boolean
  }

  const lanes = new Map<string, Lane>()
  /** Which turn each of the names that come once is under way in. */
  const held = new Map<string, unknown>()
  const counts = { commits: 0, changes: 0, waiting: 0 }
  let isScheduled = false
  let isClosed = false
  let onIdle = (): void => {}

  /** At the end of this turn of the event loop, so that jobs that come together run together. */
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      for (const lane of lanes.values()) if (!lane.isRunning) void runNext(lane)
      if (counts.waiting === 0) onIdle()
    })
  }

  const runNext = async (lane: Lane): Promise<void> => {
    const batch = nextBatch(lane)
    if (batch.length === 0) return
    lane.isRunning = true
    await runTurns(batch.map(([, turn]) => turn)).then((turns) => {
      for (const [at, [key, turn]] of batch.entries()) {
        void (turns[at] as Promise<void>).then(() => end(lane, key, turn))
      }
    })
    lane.isRunning = false
    schedule()
  }

  /** Takes from the queues what may run now. */
  const nextBatch = (lane: Lane): readonly (readonly [unknown, readonly Waiting[]])[] => {
    const batch: (readonly [unknown, readonly Waiting[]])[] = []
    let room = LARGEST_BATCH
    for (const [key, queue] of lane.queues) {
      if (room === 0) break
      if (lane.busy.has(key)) continue
      const turn: Waiting[] = []
      for (const { once } of queue.slice(0, Math.min(room, LARGEST_TURN))) {
        if (once !== undefined && (held.get(once) ?? key) !== key) break
        if (once !== undefined) held.set(once, key)
        turn.push(queue.shift() as Waiting)
      }
      if (turn.length === 0) continue
      // What is left goes to the end of the line.
      lane.queues.delete(key)
      if (queue.length > 0) lane.queues.set(key, queue)
      lane.busy.add(key)
      room -= turn.length
      batch.push([key, turn])
    }
    return batch
  }

  const end = (lane: Lane, key: unknown, turn: readonly Waiting[]): void => {
    lane.busy.delete(key)
    for (const { once } of turn) if (once !== undefined) held.delete(once)
    counts.waiting -= turn.length
    schedule()
  }

  /** A promise for each turn, which is kept when its jobs have their results. */
  const runTurns = async (turns: readonly (readonly Waiting[])[]): Promise<readonly Promise<void>[]> => {
    try {
      const results = await runBatch(turns.map((turn) => turn.map(({ job }) => job)))
      counts.commits++
      return turns.map((turn, at) => settle(turn, results[at] as Promise<readonly R[]>))
    } catch (cause) {
      return turns.map((turn) => settle(turn, Promise.reject(cause)))
    }
  }

  const settle = async (turn: readonly Waiting[], running: Promise<readonly R[]>): Promise<void> => {
    try {
      const results = await running
      counts.changes += turn.length
      for (const [at, { resolve }] of turn.entries()) resolve(results[at] as R)
    } catch (cause) {
      if (turn.length === 1 || cause instanceof StoreUnavailable) for (const { reject } of turn) reject(cause)
      // One that fails must not take its neighbours along.
      else for (const each of turn) await Promise.all(await runTurns([[each]]))
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
