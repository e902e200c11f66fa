import type { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { buildSchema, sourceOf } from '../../../model/build/build-schema.ts'
import type { Schema, SchemaSource } from '../../../model/schema.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../rows/own-indexes.ts'
import { connect } from '../connect/connection.ts'
import { post } from '../connect/exact-messages.ts'
import { DAMAGED, isDamage, isFatal, isStoreFault } from '../connect/faults.ts'
import { type Serving, serveStores } from '../connect/serve-stores.ts'
import { watchFiles } from '../connect/watch-files.ts'
import { modelRows } from '../schema/stored-model.ts'
import { beginWriting, waitByAsking } from '../schema/transaction.ts'
import { type Checkpoint, saveRemovedLog, takeOverCheckpoints } from './checkpoints.ts'
import { type Job, jobsBy } from './jobs.ts'

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

/** A fault of the store. After a fatal one the file's state is unknown: the process must end. */
export interface WriterFault {
  readonly what: string
  readonly cause: string
  readonly fatal: boolean
}

/** A message other than results: a fault, or the state of the checkpoints. */
export type WriterNotice = { readonly fault: WriterFault } | { readonly log: 'fine' | { readonly waiting: number } }

export interface WriterSettings {
  readonly path: string
  readonly currency: string
  /** The source of the schema that the store opens with. */
  readonly source: SchemaSource
}

function openWriter({ path, currency, source }: WriterSettings): Serving<Portion> {
  const db = connect(path)
  const model = modelRows(db)
  const jobsIn = (schema: Schema) => jobsBy(schema, db, currency, model)
  let jobs = jobsIn(buildSchema(source))
  /** The schema of the last commit: one that was adopted since is undone with its transaction. */
  let committed = jobs
  /** The version that the main thread knows. */
  let told = source.version
  waitByAsking(db)
  // For a part that can be undone separately, a batch or a statement that may fail midway, SQLite copies each page
  // first. By default most of the copies go to a file.
  db.exec('PRAGMA temp_store = MEMORY')

  const checkpoints = takeOverCheckpoints(db)
  const findGone = watchFiles(path)
  /** The fatal fault, after which nothing is written. */
  let last: WriterFault | undefined
  const say = (notice: WriterNotice): void => {
    if ('fault' in notice && notice.fault.fatal) last = notice.fault
    parentPort?.postMessage(notice)
  }

  /** In a transaction: the indexes of the schema are kept from its first write on. */
  const switchTo = (schema: Schema): ReturnType<typeof jobsIn> => {
    for (const index of ownIndexes(schema)) db.prepare(KEEP_OWN_INDEX).run(...index)
    return jobsIn(schema)
  }

  const run = (job: Job): unknown => {
    if (job.kind === 'adopt') {
      jobs = switchTo(buildSchema(job.source))
      told = job.source.version
      return undefined
    }
    const outcome = jobs.run(job)
    if (jobs.left !== jobs.schema) jobs = switchTo(jobs.left)
    return outcome
  }

  /** Begins a transaction by the model in use, which another process may have changed. */
  const begin = (): void => {
    beginWriting(db)
    if (model.version() > jobs.schema.version) jobs = switchTo(buildSchema(model.source()))
    jobs.begin()
  }

  /** The model of the last commit, if the main thread does not know it. */
  const newModel = (): Pick<BatchResult, 'model'> => {
    const { schema } = committed
    if (schema.version === told) return {}
    told = schema.version
    return { model: sourceOf(schema) }
  }

  const commit = (): void => {
    db.exec('COMMIT')
    committed = jobs
    const gone = findGone()
    if (gone !== undefined) throw new FileGone(gone)
  }

  /** Rolls back; returns a fault if the store failed, not the job. */
  const undo = (cause: unknown): WriterFault | undefined => {
    jobs = committed
    try {
      if (db.isTransaction) db.exec('ROLLBACK')
    } catch (another) {
      return { what: UNWRITTEN, cause: String(another), fatal: true }
    }
    if (cause instanceof FileGone) return goneFault(db, cause.message)
    if (cause instanceof StoreUnavailable) return { what: cause.message, cause: cause.message, fatal: false }
    if (!isStoreFault(cause)) return undefined
    return { what: isDamage(cause) ? DAMAGED : UNWRITTEN, cause: String(cause), fatal: isFatal(cause) }
  }

  // The current batch: its jobs, the results so far, and the thrown error, after which nothing more is decided.
  let taken: Job[] = []
  let decided: Result[] = []
  let thrown: { readonly cause: unknown } | undefined

  const take = (some: readonly Job[]): void => {
    const isFirst = taken.length === 0
    taken.push(...some)
    if (thrown !== undefined) return
    try {
      if (isFirst) begin()
      for (const job of some) decided.push({ outcome: run(job) })
    } catch (cause) {
      thrown = { cause }
    }
  }

  const end = (): BatchResult => {
    try {
      if (thrown !== undefined) throw thrown.cause
      commit()
      return { results: decided }
    } catch (cause) {
      const fault = undo(cause)
      return fault === undefined ? oneByOne(taken) : { results: [], fault }
    } finally {
      taken = []
      decided = []
      thrown = undefined
    }
  }

  /**
   * A job that throws must not undo the others: the batch is repeated with a transaction for each job. If the disk
   * fails meanwhile, the earlier jobs are committed and get their results.
   */
  const oneByOne = (all: readonly Job[]): BatchResult => {
    const results: Result[] = []
    for (const job of all) {
      try {
        begin()
        const outcome = run(job)
        commit()
        results.push({ outcome })
      } catch (cause) {
        const fault = undo(cause)
        if (fault !== undefined) return { results, fault }
        results.push({ failed: messageOf(cause) })
      }
    }
    return { results }
  }

  /** Indexes waiting rows, after the results were sent. A failure is retried after the next batch. */
  const indexDue = (isIdle: boolean): void => {
    try {
      if (!jobs.indexing.isDue(isIdle)) return
      beginWriting(db)
      jobs.indexing.run()
      db.exec('COMMIT')
    } catch (cause) {
      const fault = undo(cause)
      if (fault?.fatal) say({ fault })
    }
  }

  let isStuck = false
  let isLarge = false
  /** Runs a checkpoint after the results were sent. One that fails for lack of space is retried until it succeeds. */
  const writeBack = (write: () => Checkpoint): void => {
    try {
      const log = write()
      if (isStuck || isLarge !== (log !== 'fine')) say({ log })
      isLarge = log !== 'fine'
      isStuck = false
    } catch (cause) {
      if (!isStuck || isFatal(cause)) say({ fault: { what: STUCK, cause: String(cause), fatal: isFatal(cause) } })
      isStuck = true
    }
  }

  /** The next start applies the rest if there is no space now. */
  const leaveLog = (): void => {
    try {
      checkpoints.last()
    } catch (cause) {
      if (isFatal(cause)) throw cause
    }
  }

  // Checked without writes too: replaced files must be noticed before the next write.
  let isIdle = false
  const looking = setInterval(() => {
    const gone = findGone()
    if (gone !== undefined) say({ fault: undo(new FileGone(gone)) ?? goneFault(db, gone) })
    else if (isStuck && !db.isTransaction) writeBack(checkpoints.now)
    else if (isIdle && !db.isTransaction) indexDue(true)
    isIdle = true
    if (last !== undefined) clearInterval(looking)
  }, LOOK)
  looking.unref()

  const hear = (portion: Portion): void => {
    isIdle = false
    if (last === undefined) take(portion.jobs)
    if (!portion.isLast) return
    const result = last === undefined ? end() : { results: [], fault: last }
    if (result.fault?.fatal) last = result.fault
    if (parentPort !== null) post(parentPort, { ...result, ...newModel() } satisfies BatchResult)
    if (last === undefined) indexDue(false)
    if (last === undefined) writeBack(checkpoints.whenDue)
  }

  return {
    hear,
    close() {
      clearInterval(looking)
      if (last === undefined) leaveLog()
      db.close()
    },
  }
}

/** Milliseconds between two checks of the files. */
const LOOK = 1000

const UNWRITTEN = 'the database could not be written'
const STUCK = 'the write-ahead log cannot be written back into the database'

class FileGone extends Error {}

/** The open file of a removed log still has acknowledged writes: they are written into the database. */
function goneFault(db: DatabaseSync, file: string): WriterFault {
  saveRemovedLog(db, file)
  return { what: 'a file of the database was removed or replaced', cause: file, fatal: true }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))

serveStores(openWriter)
