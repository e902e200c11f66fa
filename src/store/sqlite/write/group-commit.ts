import type { Worker } from 'node:worker_threads'
import type { SchemaSource } from '../../../model/declaration/schema.ts'
import type { Durations } from '../../../monitoring/durations.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { post, received } from '../connect/exact-messages.ts'
import type { Faults } from '../connect/faults.ts'
import { CLOSED } from '../connect/serve-stores.ts'
import { leaveThread, shortLived, takeThread } from '../connect/threads.ts'
import type { Job } from './jobs.ts'
import type { WriterSettings } from './transactions.ts'
import type { BatchResult, Portion, Result, WriterNotice } from './writer.ts'

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

/** The store around a writer. */
export interface WriterStore {
  readonly faults: Faults
  /** Gets lines for the operator's log. */
  readonly onNote: (line: string) => void
  readonly onModel: (source: SchemaSource) => void
  /** Throws if the files were replaced; called before the thread begins. */
  readonly requireFiles: () => void
  readonly durations: Durations
}

/**
 * Gathers jobs while the writer thread commits the previous batch: a single job never waits, many share one sync. The
 * writer decides the first jobs of a batch while the last ones are read. The thread begins with the first job.
 */
export class GroupCommit {
  readonly counts = { commits: 0, changes: 0, waiting: 0 }
  readonly #settings: WriterSettings
  readonly #store: WriterStore
  #worker: Worker | undefined
  #hasStopped = false
  #gathering: QueuedJob[] = []
  /** The jobs of the batch that the writer already has, whether it is complete, and when the writer got the first. */
  #sent: QueuedJob[] = []
  #isClosed = false
  #began = 0
  #isScheduled = false
  #ended: Error | undefined
  #onIdle = (): void => {}
  #stuck: StoreUnavailable | undefined

  constructor(settings: WriterSettings, store: WriterStore) {
    this.#settings = settings
    this.#store = store
  }

  get hasBegun(): boolean {
    return this.#worker !== undefined
  }

  run(job: Job): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended)
      if (this.counts.waiting >= LONGEST_QUEUE) return reject(new StoreUnavailable('too many writes are waiting', 1))
      this.#worker ??= this.#begin()
      const size = job.kind === 'perform' ? job.batch.intents.length : 1
      this.#gathering.push({ job, size, resolve, reject })
      this.counts.waiting += size
      this.#schedule()
    })
  }

  /** Throws `StoreUnavailable` while checkpoints fail. */
  check(): void {
    if (this.#stuck !== undefined) throw this.#stuck
  }

  async close(): Promise<void> {
    if (this.#sent.length + this.#gathering.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    this.#ended ??= new StoreUnavailable('the store is closed', 5)
    if (this.#worker === undefined || this.#hasStopped) return
    this.#hasStopped = true
    // Also after a fault that ended the database: otherwise the thread would live on.
    await leaveThread(WRITER, this.#worker)
  }

  #begin(): Worker {
    this.#store.requireFiles()
    const begun = takeThread(WRITER, this.#settings, { resourceLimits: shortLived })
    begun.on('message', (sent: BatchResult | WriterNotice | typeof CLOSED) => {
      const message = received(sent)
      if (message !== CLOSED) 'results' in message ? this.#settleBatch(message) : this.#hear(message)
    })
    begun.on('error', (cause) => this.#fail(this.#store.faults.end('the writer stopped', cause)))
    begun.once('exit', () => {
      this.#hasStopped = true
    })
    return begun
  }

  /** A batch is complete at the end of a turn of the event loop: requests that arrive together commit together. */
  #schedule(): void {
    if (this.#isClosed) return
    if (this.#gathering.length >= PORTION) this.#send(false)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#closeWhenQuiet, 0, 0)
  }

  /**
   * Waits while each turn brings further jobs: clients that the last batch answered send their next request at once.
   * Otherwise their jobs would be a separate batch, and half as many jobs in each commit cost a tenth more for every
   * job.
   */
  readonly #closeWhenQuiet = (seen: number, turns: number): void => {
    const known = this.#sent.length + this.#gathering.length
    if (!this.#isClosed && known > seen && turns < MOST_TURNS) {
      if (seen > 0 && this.#gathering.length > 0) this.#send(false)
      if (!this.#isClosed) return void setImmediate(this.#closeWhenQuiet, known, turns + 1)
    }
    this.#isScheduled = false
    if (!this.#isClosed && known > 0) this.#send(true)
  }

  /** Sends the gathered jobs, as far as the batch has space for them. */
  #send(isLast: boolean): void {
    if (this.#sent.length === 0) this.#began = performance.now()
    let room = LARGEST_BATCH - sizeOf(this.#sent)
    const last = this.#gathering.findIndex(({ size }) => {
      room -= size
      return room <= 0
    })
    const portion = this.#gathering.splice(0, last === -1 ? this.#gathering.length : last + 1)
    this.#sent.push(...portion)
    this.counts.waiting -= sizeOf(portion)
    this.#isClosed = isLast || last !== -1
    if (this.#worker === undefined) return
    post(this.#worker, { jobs: portion.map(({ job }) => job), isLast: this.#isClosed } satisfies Portion)
  }

  #settleBatch({ results, fault, model }: BatchResult): void {
    // Before the answers: their clients find it.
    if (model !== undefined) this.#store.onModel(model)
    const answered = this.#sent
    this.#sent = []
    this.#isClosed = false
    if (results.length > 0) {
      this.counts.commits++
      this.#store.durations.observe((performance.now() - this.#began) / 1000)
    }
    this.counts.changes += results.length
    for (const [index, result] of results.entries()) settle(answered[index], result)
    if (fault !== undefined) {
      const cause = new Error(fault.cause)
      const told = fault.fatal ? this.#store.faults.end(fault.what, cause) : new StoreUnavailable(fault.what, 5, cause)
      for (const { reject } of answered.slice(results.length)) reject(told)
      if (fault.fatal) this.#fail(told)
    }
    if (this.#gathering.length > 0) this.#schedule()
    else this.#onIdle()
  }

  #hear(notice: WriterNotice): void {
    const { faults, onNote } = this.#store
    if ('fault' in notice) {
      const { what, cause, fatal } = notice.fault
      if (fatal) return this.#fail(faults.end(what, new Error(cause)))
      this.#stuck = new StoreUnavailable(what, 5, new Error(cause))
      return onNote(`${what}: ${cause}`)
    }
    this.#stuck = undefined
    onNote(
      notice.log === 'fine'
        ? 'the write-ahead log is written back again'
        : `somebody has been reading for long: the write-ahead log has ${notice.log.waiting} pages`,
    )
  }

  #fail(cause: Error): void {
    this.#ended ??= cause
    for (const { reject } of [...this.#sent, ...this.#gathering]) reject(cause)
    this.#sent = []
    this.#gathering = []
    this.counts.waiting = 0
    this.#onIdle()
  }
}

const sizeOf = (jobs: readonly QueuedJob[]): number => jobs.reduce((sum, { size }) => sum + size, 0)

function settle(waiting: QueuedJob | undefined, result: Result): void {
  if ('failed' in result) waiting?.reject(new Error(result.failed))
  else waiting?.resolve(result.outcome)
}
