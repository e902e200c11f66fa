import { once } from 'node:events'
import { StoreUnavailable, type WriteCounts } from '../../port/store.ts'
import type { Faults } from '../connect/faults.ts'
import { startThread } from '../connect/start-thread.ts'
import type { BatchResult, Job, Result, WriterNotice, WriterSettings } from './writer.ts'

/** The most jobs that the writer has at a time, and so in a commit: more only add latency. */
const MOST_SENT = 128
/** Jobs that are sent without waiting for more: the writer decides them while further requests are read. */
const PORTION = 8
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
  /** In changes. */
  readonly size: number
  readonly resolve: (outcome: unknown) => void
  readonly reject: (cause: Error) => void
}

/**
 * Sends jobs to the writer thread, which commits all that it has got: a lone job never waits, many share one sync.
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
  let gathered: QueuedJob[] = []
  let sent: QueuedJob[] = []
  let scheduled = false
  let ended: Error | undefined
  let idle = (): void => {}
  let stuck: StoreUnavailable | undefined

  const send = (): void => {
    let room = MOST_SENT - sizeOf(sent)
    if (gathered.length === 0 || room <= 0) return
    const last = gathered.findIndex(({ size }) => {
      room -= size
      return room <= 0
    })
    const portion = gathered.splice(0, last === -1 ? gathered.length : last + 1)
    sent.push(...portion)
    worker.postMessage(portion.map(({ job }) => job))
  }

  /** At the end of this turn of the event loop, so that requests that arrive together commit together. */
  const schedule = (): void => {
    if (gathered.length >= PORTION) return send()
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      send()
    })
  }

  const fail = (cause: Error): void => {
    ended ??= cause
    for (const { reject } of [...sent, ...gathered]) reject(cause)
    sent = []
    gathered = []
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

  const settleBatch = ({ jobs, results, fault }: BatchResult): void => {
    const answered = sent.splice(0, jobs)
    counts.waiting -= sizeOf(answered)
    if (results.length > 0) counts.commits++
    counts.changes += results.length
    send()
    for (const [index, result] of results.entries()) settle(answered[index], result)
    if (fault !== undefined) {
      const cause = new Error(fault.cause)
      const told = fault.fatal ? faults.end(fault.what, cause) : new StoreUnavailable(fault.what, 5, cause)
      for (const { reject } of answered.slice(results.length)) reject(told)
      if (fault.fatal) fail(told)
    }
    if (counts.waiting === 0) idle()
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
        const size = job.kind === 'batch' ? job.batch.intents.length : 1
        gathered.push({ job, size, resolve, reject })
        counts.waiting += size
        schedule()
      }),
    check() {
      if (stuck !== undefined) throw stuck
    },
    async close() {
      if (counts.waiting > 0) {
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

const sizeOf = (jobs: readonly QueuedJob[]): number => jobs.reduce((sum, { size }) => sum + size, 0)

function settle(waiting: QueuedJob | undefined, result: Result): void {
  if ('failed' in result) waiting?.reject(new Error(result.failed))
  else waiting?.resolve(result.outcome)
}
