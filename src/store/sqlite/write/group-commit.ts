import type { Worker } from 'node:worker_threads'
import type { SchemaSource } from '../../../model/schema.ts'
import type { Durations } from '../../../monitoring/durations.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { post, received } from '../connect/exact-messages.ts'
import type { Faults } from '../connect/faults.ts'
import { CLOSED } from '../connect/serve-stores.ts'
import { leaveThread, shortLived, takeThread } from '../connect/threads.ts'
import type { Job } from './jobs.ts'
import type { BatchResult, Portion, Result, WriterNotice, WriterSettings } from './writer.ts'

const WRITER = new URL('./writer.ts', import.meta.url)
/** A larger batch only adds latency. */
const LARGEST_BATCH = 128
/** Turns of the event loop in a row that may add jobs to a batch. */
const MOST_TURNS = 16
/** Jobs that are sent before the turn ends: the writer decides them while further requests are read. */
const PORTION = 8
/** Beyond this, callers are refused and should retry later. */
const LONGEST_QUEUE = 10_000

interface QueuedJob {
  readonly job: Job
  /** In changes. */
  readonly size: number
  readonly resolve: (outcome: unknown) => void
  readonly reject: (cause: Error) => void
}

/**
 * Gathers jobs while the writer thread commits the previous batch: a single job never waits, many share one sync. The
 * writer decides the first jobs of a batch while the last ones are read. The thread begins with the first job, if
 * `requireFiles` does not throw. `onNote` gets lines for the operator's log.
 */
export function openGroupCommit(
  settings: WriterSettings,
  faults: Faults,
  onNote: (line: string) => void,
  onModel: (source: SchemaSource) => void,
  requireFiles: () => void,
  durations: Durations,
) {
  let worker: Worker | undefined
  const counts = { commits: 0, changes: 0, waiting: 0 }
  let gathering: QueuedJob[] = []
  /** The jobs of the batch that the writer already has, and whether it is complete. */
  let sent: QueuedJob[] = []
  let isClosed = false
  /** When the writer got the first of them. */
  let began = 0
  let scheduled = false
  let ended: Error | undefined
  let idle = (): void => {}
  let stuck: StoreUnavailable | undefined

  /** Sends the gathered jobs, as far as the batch has space for them. */
  const send = (isLast: boolean): void => {
    if (sent.length === 0) began = performance.now()
    let room = LARGEST_BATCH - sizeOf(sent)
    const last = gathering.findIndex(({ size }) => {
      room -= size
      return room <= 0
    })
    const portion = gathering.splice(0, last === -1 ? gathering.length : last + 1)
    sent.push(...portion)
    counts.waiting -= sizeOf(portion)
    isClosed = isLast || last !== -1
    if (worker !== undefined) post(worker, { jobs: portion.map(({ job }) => job), isLast: isClosed } satisfies Portion)
  }

  /** A batch is complete at the end of a turn of the event loop: requests that arrive together commit together. */
  const schedule = (): void => {
    if (isClosed) return
    if (gathering.length >= PORTION) send(false)
    if (scheduled) return
    scheduled = true
    setImmediate(closeWhenQuiet, 0, 0)
  }

  /**
   * Waits while each turn brings further jobs: clients that the last batch answered send their next request at once.
   * Otherwise their jobs would be a separate batch, and half as many jobs in each commit cost a tenth more for every
   * job.
   */
  const closeWhenQuiet = (seen: number, turns: number): void => {
    const known = sent.length + gathering.length
    if (!isClosed && known > seen && turns < MOST_TURNS) {
      if (seen > 0 && gathering.length > 0) send(false)
      if (!isClosed) return void setImmediate(closeWhenQuiet, known, turns + 1)
    }
    scheduled = false
    if (!isClosed && known > 0) send(true)
  }

  const fail = (cause: Error): void => {
    ended ??= cause
    for (const { reject } of [...sent, ...gathering]) reject(cause)
    sent = []
    gathering = []
    counts.waiting = 0
    idle()
  }

  const hear = (notice: WriterNotice): void => {
    if ('fault' in notice) {
      const { what, cause, fatal } = notice.fault
      if (fatal) return fail(faults.end(what, new Error(cause)))
      stuck = new StoreUnavailable(what, 5, new Error(cause))
      return onNote(`${what}: ${cause}`)
    }
    stuck = undefined
    onNote(
      notice.log === 'fine'
        ? 'the write-ahead log is written back again'
        : `somebody has been reading for long: the write-ahead log has ${notice.log.waiting} pages`,
    )
  }

  const settleBatch = ({ results, fault, model }: BatchResult): void => {
    // Before the answers: their clients find it.
    if (model !== undefined) onModel(model)
    const answered = sent
    sent = []
    isClosed = false
    if (results.length > 0) {
      counts.commits++
      durations.observe((performance.now() - began) / 1000)
    }
    counts.changes += results.length
    for (const [index, result] of results.entries()) settle(answered[index], result)
    if (fault !== undefined) {
      const cause = new Error(fault.cause)
      const told = fault.fatal ? faults.end(fault.what, cause) : new StoreUnavailable(fault.what, 5, cause)
      for (const { reject } of answered.slice(results.length)) reject(told)
      if (fault.fatal) fail(told)
    }
    if (gathering.length > 0) schedule()
    else idle()
  }

  const begin = (): Worker => {
    requireFiles()
    const begun = takeThread(WRITER, settings, { resourceLimits: shortLived })
    begun.on('message', (sent: BatchResult | WriterNotice | typeof CLOSED) => {
      const message = received(sent)
      if (message !== CLOSED) 'results' in message ? settleBatch(message) : hear(message)
    })
    begun.on('error', (cause) => fail(faults.end('the writer stopped', cause)))
    begun.once('exit', () => {
      hasStopped = true
    })
    return begun
  }
  let hasStopped = false

  return {
    counts,
    get hasBegun() {
      return worker !== undefined
    },
    run: (job: Job): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        if (counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
        worker ??= begin()
        const size = job.kind === 'perform' ? job.batch.intents.length : 1
        gathering.push({ job, size, resolve, reject })
        counts.waiting += size
        schedule()
      }),
    /** Throws `StoreUnavailable` while checkpoints fail. */
    check(): void {
      if (stuck !== undefined) throw stuck
    },
    async close(): Promise<void> {
      if (sent.length + gathering.length > 0) {
        await new Promise<void>((resolve) => {
          idle = resolve
        })
      }
      ended ??= new StoreUnavailable('the store is closed', 5)
      if (worker === undefined || hasStopped) return
      hasStopped = true
      // Also after a fault that ended the database: otherwise the thread would live on.
      await leaveThread(WRITER, worker)
    },
  }
}

const sizeOf = (jobs: readonly QueuedJob[]): number => jobs.reduce((sum, { size }) => sum + size, 0)

function settle(waiting: QueuedJob | undefined, result: Result): void {
  if ('failed' in result) waiting?.reject(new Error(result.failed))
  else waiting?.resolve(result.outcome)
}
