import { once } from 'node:events'
import { StoreUnavailable, type WriteCounts } from '../../port/store.ts'
import type { Faults } from '../connect/faults.ts'
import { startThread } from '../connect/start-thread.ts'
import type { BatchResult, Job, Result, WriterNotice, WriterSettings } from './writer.ts'

/** A larger batch only adds latency. */
const LARGEST_BATCH = 128
/** Turns of the event loop in a row that may add jobs to a batch. */
const MOST_TURNS = 16
/** Beyond this, callers are refused and should retry later. */
const LONGEST_QUEUE = 10_000

export interface GroupCommit {
  run(job: Job): Promise<unknown>
  /** Throws `StoreUnavailable` while checkpoints fail. */
  check(): void
  readonly counts: WriteCounts
  close(): Promise<void>
}

interface QueuedJob {
  readonly job: Job
  readonly resolve: (outcome: unknown) => void
  readonly reject: (cause: Error) => void
}

/**
 * Gathers jobs while the writer thread commits the previous batch: a lone job never waits, many share one sync.
 * `onNote` gets lines for the operator's log.
 */
export async function openGroupCommit(
  settings: WriterSettings,
  faults: Faults,
  onNote: (line: string) => void,
): Promise<GroupCommit> {
  const worker = startThread(new URL('./writer.ts', import.meta.url), { workerData: settings })
  await once(worker, 'message')

  const counts = { commits: 0, changes: 0, waiting: 0 }
  let gathering: QueuedJob[] = []
  let committing: readonly QueuedJob[] = []
  let scheduled = false
  let ended: Error | undefined
  let idle = (): void => {}
  let stuck: StoreUnavailable | undefined

  const flush = (): void => {
    scheduled = false
    if (committing.length > 0) return
    if (gathering.length === 0) return idle()
    let room = LARGEST_BATCH
    const taken = gathering.findIndex(({ job }) => {
      room -= sizeOf(job)
      return room <= 0
    })
    committing = gathering.splice(0, taken === -1 ? gathering.length : taken + 1)
    for (const { job } of committing) counts.waiting -= sizeOf(job)
    worker.postMessage(committing.map(({ job }) => job))
  }

  /** At the end of this turn of the event loop, so that requests that arrive together commit together. */
  const schedule = (): void => {
    if (scheduled || committing.length > 0) return
    scheduled = true
    setImmediate(flushWhenQuiet, 0, 0)
  }

  /**
   * Waits while each turn brings further jobs: those whom the last batch answered ask again at once. Their jobs would be
   * a batch of their own, and half as many jobs in each commit cost a tenth more for every job.
   */
  const flushWhenQuiet = (seen: number, turns: number): void => {
    const waiting = gathering.length
    if (waiting === seen || waiting >= LARGEST_BATCH || turns === MOST_TURNS) return flush()
    setImmediate(flushWhenQuiet, waiting, turns + 1)
  }

  const fail = (cause: Error): void => {
    ended ??= cause
    for (const { reject } of [...committing, ...gathering]) reject(cause)
    committing = []
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
        : `somebody has been reading for long: ${notice.log.waiting} pages of the write-ahead log wait to be written back`,
    )
  }

  const settleBatch = ({ results, fault }: BatchResult): void => {
    const answered = committing
    committing = []
    if (results.length > 0) counts.commits++
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

  worker.on('message', (message: BatchResult | WriterNotice) =>
    'results' in message ? settleBatch(message) : hear(message),
  )
  worker.on('error', (cause) => fail(faults.end('the writer stopped', cause)))

  return {
    counts,
    run: (job) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        if (counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
        gathering.push({ job, resolve, reject })
        counts.waiting += sizeOf(job)
        schedule()
      }),
    check() {
      if (stuck !== undefined) throw stuck
    },
    async close() {
      if (committing.length + gathering.length > 0) {
        await new Promise<void>((resolve) => {
          idle = resolve
        })
      }
      if (ended !== undefined) return
      ended = new StoreUnavailable('the store is closed', 5)
      const exited = once(worker, 'exit')
      worker.postMessage('close')
      await exited
    },
  }
}

const sizeOf = (job: Job): number => (job.kind === 'batch' ? job.batch.intents.length : 1)

function settle(waiting: QueuedJob | undefined, result: Result): void {
  if ('failed' in result) waiting?.reject(new Error(result.failed))
  else waiting?.resolve(result.outcome)
}
