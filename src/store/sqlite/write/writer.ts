import type { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { SchemaSource } from '../../../model/declaration/schema.ts'
import { connect } from '../connect/connection.ts'
import { post } from '../connect/exact-messages.ts'
import { isFatal } from '../connect/faults.ts'
import { type Serving, serveStores } from '../connect/serve-stores.ts'
import { waitByAsking } from '../schema/transaction.ts'
import { type Checkpoint, takeOverCheckpoints } from './checkpoints.ts'
import type { Job } from './jobs.ts'
import { Transactions, type WriterFault, type WriterSettings } from './transactions.ts'

// The writer thread. A batch comes in portions, which are decided as they arrive, in one transaction: all its jobs
// share one sync, and one message has all results.

/** Some jobs of a batch, in order. */
export interface Portion {
  readonly jobs: readonly Job[]
  /** The batch is complete and is committed now. */
  readonly isLast: boolean
}

export type Result = { readonly outcome: unknown } | { readonly failed: string }

export interface BatchResult {
  /** The results of the decided jobs: all of them, unless there is a fault. */
  readonly results: readonly Result[]
  /** Why the other jobs were not committed. */
  readonly fault?: WriterFault
  /** The model, if it is another one since the last batch. */
  readonly model?: SchemaSource
}

/** A message other than results: a fault, or the state of the checkpoints. */
export type WriterNotice = { readonly fault: WriterFault } | { readonly log: 'fine' | { readonly waiting: number } }

class Writer implements Serving<Portion> {
  readonly #db: DatabaseSync
  readonly #transactions: Transactions
  readonly #checkpoints: ReturnType<typeof takeOverCheckpoints>
  readonly #looking: NodeJS.Timeout
  // The current batch: its jobs, the results so far, and the thrown error, after which nothing more is decided.
  #taken: Job[] = []
  #decided: Result[] = []
  #thrown: { readonly cause: unknown } | undefined
  #isIdle = false
  /** Whether the last checkpoint failed, and whether it left a large log. */
  #isStuck = false
  #isLarge = false
  /** The fatal fault, after which nothing is written. */
  #last: WriterFault | undefined

  constructor(settings: WriterSettings) {
    this.#db = connect(settings.path)
    this.#transactions = new Transactions(this.#db, settings)
    waitByAsking(this.#db)
    // For a part that can be undone separately, a batch or a statement that may fail midway, SQLite copies each page
    // first. By default most of the copies go to a file.
    this.#db.exec('PRAGMA temp_store = MEMORY')
    this.#checkpoints = takeOverCheckpoints(this.#db)
    this.#looking = setInterval(() => this.#look(), LOOK)
    this.#looking.unref()
  }

  hear({ jobs, isLast }: Portion): void {
    this.#isIdle = false
    if (this.#last === undefined) this.#take(jobs)
    if (!isLast) return
    const result = this.#last === undefined ? this.#end() : { results: [], fault: this.#last }
    if (result.fault?.fatal) this.#last = result.fault
    if (parentPort !== null) post(parentPort, { ...result, ...this.#transactions.newModel() } satisfies BatchResult)
    if (this.#last === undefined) this.#indexDue(false)
    if (this.#last === undefined) this.#writeBack(this.#checkpoints.whenDue)
  }

  close(): void {
    clearInterval(this.#looking)
    if (this.#last === undefined) this.#leaveLog()
    this.#db.close()
  }

  #take(some: readonly Job[]): void {
    const isFirst = this.#taken.length === 0
    this.#taken.push(...some)
    if (this.#thrown !== undefined) return
    try {
      if (isFirst) this.#transactions.begin()
      for (const job of some) this.#decided.push({ outcome: this.#transactions.run(job) })
    } catch (cause) {
      this.#thrown = { cause }
    }
  }

  #end(): BatchResult {
    try {
      if (this.#thrown !== undefined) throw this.#thrown.cause
      this.#transactions.commit()
      return { results: this.#decided }
    } catch (cause) {
      const fault = this.#transactions.undo(cause)
      return fault === undefined ? this.#oneByOne(this.#taken) : { results: [], fault }
    } finally {
      this.#taken = []
      this.#decided = []
      this.#thrown = undefined
    }
  }

  /**
   * A job that throws must not undo the others: the batch is repeated with a transaction for each job. If the disk
   * fails meanwhile, the earlier jobs are committed and get their results.
   */
  #oneByOne(all: readonly Job[]): BatchResult {
    const results: Result[] = []
    for (const job of all) {
      try {
        this.#transactions.begin()
        const outcome = this.#transactions.run(job)
        this.#transactions.commit()
        results.push({ outcome })
      } catch (cause) {
        const fault = this.#transactions.undo(cause)
        if (fault !== undefined) return { results, fault }
        results.push({ failed: messageOf(cause) })
      }
    }
    return { results }
  }

  /** Checks the files without writes too, and does what waits for a pause. */
  #look(): void {
    const fault = this.#transactions.checkFiles()
    if (fault !== undefined) this.#say({ fault })
    else if (this.#isStuck && !this.#db.isTransaction) this.#writeBack(this.#checkpoints.now)
    else if (this.#isIdle && !this.#db.isTransaction) this.#indexDue(true)
    this.#isIdle = true
    if (this.#last !== undefined) clearInterval(this.#looking)
  }

  /** After the results were sent. A failure is retried after the next batch. */
  #indexDue(isIdle: boolean): void {
    try {
      this.#transactions.indexDue(isIdle)
    } catch (cause) {
      const fault = this.#transactions.undo(cause)
      if (fault?.fatal) this.#say({ fault })
    }
  }

  /** Runs a checkpoint after the results were sent. One that fails for lack of space is retried until it succeeds. */
  #writeBack(write: () => Checkpoint): void {
    try {
      const log = write()
      if (this.#isStuck || this.#isLarge !== (log !== 'fine')) this.#say({ log })
      this.#isLarge = log !== 'fine'
      this.#isStuck = false
    } catch (cause) {
      const fatal = isFatal(cause)
      if (!this.#isStuck || fatal) this.#say({ fault: { what: STUCK, cause: String(cause), fatal } })
      this.#isStuck = true
    }
  }

  /** The next start applies the rest if there is no space now. */
  #leaveLog(): void {
    try {
      this.#checkpoints.last()
    } catch (cause) {
      if (isFatal(cause)) throw cause
    }
  }

  #say(notice: WriterNotice): void {
    if ('fault' in notice && notice.fault.fatal) this.#last = notice.fault
    parentPort?.postMessage(notice)
  }
}

/** Milliseconds between two checks of the files. */
const LOOK = 1000

const STUCK = 'the write-ahead log cannot be written back into the database'

const messageOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))

serveStores((settings: WriterSettings) => new Writer(settings))
