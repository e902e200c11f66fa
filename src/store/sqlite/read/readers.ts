import type { Worker } from 'node:worker_threads'
import type { Durations } from '../../../monitoring/durations.ts'
import { StoreUnavailable } from '../../port/store.ts'
import type { Row } from '../../sql/statement.ts'
import { readerFault } from '../connect/faults.ts'
import { CLOSED } from '../connect/serve-stores.ts'
import { leaveThread, shortLived, takeThread } from '../connect/threads.ts'
import type { PackedResult, ReaderNotice, ReadJob, ReadResult } from './reader.ts'

const READER = new URL('./reader.ts', import.meta.url)
const LONGEST_QUEUE = 256
/** One of this many turns is for the oldest job. */
const MOST_AHEAD = 4
const resourceLimits = { ...shortLived, maxOldGenerationSizeMb: 512 }

/** A few reader threads, started when they are needed. */
export interface ReaderPool {
  /** In order, except for jobs that may overtake. */
  read(job: ReadJob): Promise<ReadResult>
  /** The rows of each select. */
  rows(selects: ReadJob['selects']): Promise<readonly (readonly Row[])[]>
  /**
   * The rows of the first select with their texts packed, joined if they come in parts; those of the others as usual.
   */
  packed(selects: ReadJob['selects'], whole: boolean): Promise<PackedResult>
  /** Sends a message to every thread. */
  notify(notice: ReaderNotice): void
  /** The number of waiting jobs, and of stopped threads: their temporary tables are gone. */
  readonly counts: { readonly waiting: number; readonly stopped: number }
  close(): Promise<void>
}

interface QueuedRead {
  readonly job: ReadJob
  /** When a thread took it. */
  began?: number
  readonly resolve: (result: ReadResult) => void
  readonly reject: (cause: Error) => void
}

export function openReaders(path: string, most: number, durations?: Durations): ReaderPool {
  const idle: Worker[] = []
  const all = new Map<Worker, QueuedRead | undefined>()
  const queue: QueuedRead[] = []
  const counts = { waiting: 0, stopped: 0 }
  let turn = 0
  let closed: StoreUnavailable | undefined

  const start = (): Worker => {
    const worker = takeThread(READER, path, { resourceLimits })
    worker.on('message', (result: ReadResult | typeof CLOSED) => {
      if (result === CLOSED) return
      worker.unref()
      const waiting = all.get(worker)
      all.set(worker, undefined)
      if (waiting?.began !== undefined) durations?.observe((performance.now() - waiting.began) / 1000)
      if ('failed' in result) waiting?.reject(readerFault(result.failed, result.code))
      else waiting?.resolve(result)
      idle.push(worker)
      next()
    })
    worker.on('error', (cause) => {
      all.get(worker)?.reject(new StoreUnavailable('a reader stopped', 1, cause))
      all.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      counts.stopped++
      next()
    })
    return worker
  }

  /** Jobs that may overtake do so, but every `MOST_AHEAD`th turn is for the oldest. */
  const takeNext = (): QueuedRead | undefined => {
    const ahead = queue.findIndex(({ job }) => job.ahead)
    const [taken] = queue.splice(turn++ % MOST_AHEAD === 0 ? 0 : Math.max(0, ahead), 1)
    return taken
  }

  const next = (): void => {
    while (queue.length > 0 && closed === undefined) {
      const worker = idle.pop() ?? (all.size < most ? start() : undefined)
      const waiting = worker && takeNext()
      if (worker === undefined || waiting === undefined) break
      waiting.began = performance.now()
      all.set(worker, waiting)
      // A process does not end while it waits for rows, and an idle thread does not keep it.
      worker.ref()
      const { into } = waiting.job
      worker.postMessage(waiting.job, into === undefined ? [] : [into])
    }
    counts.waiting = queue.length
  }

  const read = (job: ReadJob): Promise<ReadResult> =>
    new Promise((resolve, reject) => {
      if (closed !== undefined) return reject(closed)
      if (queue.length >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many searches are waiting', 1))
      queue.push({ job, resolve, reject })
      next()
    })

  return {
    counts,
    read,
    async rows(selects) {
      const result = await read({ selects, as: 'rows' })
      if (!('rows' in result)) throw new Error('a reader gave lines for rows')
      return result.rows
    },
    async packed(selects, whole) {
      const result = await read({ selects, as: 'packed', whole })
      if (!('first' in result)) throw new Error('a reader packed nothing')
      return result
    },
    notify(notice) {
      if (closed === undefined) for (const worker of all.keys()) worker.postMessage(notice)
    },
    async close() {
      closed = new StoreUnavailable('the store is closed', 5)
      for (const { reject } of queue.splice(0)) reject(closed)
      // The threads can serve other stores from now on.
      await Promise.all([...all.keys()].map((worker) => leaveThread(READER, worker)))
    },
  }
}
