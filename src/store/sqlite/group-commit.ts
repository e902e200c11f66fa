import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable, type WriteCounts } from '../store.ts'
import type { BatchResult, Job, Result, WriterSettings } from './writer.ts'

/** Beyond this a batch only adds latency. */
const LARGEST_BATCH = 128
/** Beyond this the caller is told to come back instead of waiting without end. */
const LONGEST_QUEUE = 10_000

export interface GroupCommit {
  run(job: Job): Promise<unknown>
  readonly counts: WriteCounts
  close(): Promise<void>
}

interface Waiting {
  readonly job: Job
  readonly resolve: (outcome: unknown) => void
  readonly reject: (cause: Error) => void
}

/**
 * Gathers jobs while the writer thread commits the ones before: a lone writer never waits, many share one sync.
 * `onFatal` is told when the disk can no longer be trusted.
 */
export async function openGroupCommit(settings: WriterSettings, onFatal: (cause: Error) => void): Promise<GroupCommit> {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: settings })
  await once(worker, 'message')

  const counts = { commits: 0, changes: 0, waiting: 0 }
  let gathering: Waiting[] = []
  let committing: readonly Waiting[] = []
  let scheduled = false
  let ended: Error | undefined
  let idle = (): void => {}

  const flush = (): void => {
    scheduled = false
    if (committing.length > 0) return
    if (gathering.length === 0) return idle()
    committing = gathering.splice(0, LARGEST_BATCH)
    counts.waiting = gathering.length
    worker.postMessage(committing.map(({ job }) => job))
  }

  /** At the end of this turn of the event loop, so that requests that arrived together commit together. */
  const schedule = (): void => {
    if (scheduled || committing.length > 0) return
    scheduled = true
    setImmediate(flush)
  }

  const fail = (cause: Error): void => {
    ended ??= cause
    for (const { reject } of [...committing, ...gathering]) reject(cause)
    committing = []
    gathering = []
    idle()
  }

  worker.on('message', ({ results, fault }: BatchResult) => {
    const answered = committing
    committing = []
    if (results.length > 0) counts.commits++
    counts.changes += results.length
    for (const [index, result] of results.entries()) settle(answered[index], result)
    if (fault !== undefined) {
      const cause = new StoreUnavailable('the database could not be written', 5, new Error(fault.message))
      for (const { reject } of answered.slice(results.length)) reject(cause)
      if (fault.fatal) {
        fail(cause)
        onFatal(cause)
      }
    }
    flush()
  })
  worker.on('error', (cause) => {
    const broken = new StoreUnavailable('the writer stopped', 5, cause)
    fail(broken)
    onFatal(broken)
  })

  return {
    counts,
    run: (job) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        if (gathering.length >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
        gathering.push({ job, resolve, reject })
        counts.waiting = gathering.length
        schedule()
      }),
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

function settle(waiting: Waiting | undefined, result: Result): void {
  if ('failed' in result) waiting?.reject(new Error(result.failed))
  else waiting?.resolve(result.outcome)
}
