import type { DatabaseSync } from 'node:sqlite'
import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { buildSchema, sourceOf } from '../../../model/schema/build-schema.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../rows/own-indexes.ts'
import { DAMAGED, isDamage, isFatal, isStoreFault } from '../connect/faults.ts'
import { watchFiles } from '../connect/watch-files.ts'
import { type ModelRows, modelRows } from '../schema/stored-model.ts'
import { beginWriting } from '../schema/transaction.ts'
import { saveRemovedLog } from './checkpoints.ts'
import { type Job, jobsBy } from './jobs.ts'

/** A fault of the store. After a fatal one the file's state is unknown: the process must end. */
export interface WriterFault {
  readonly what: string
  readonly cause: string
  readonly fatal: boolean
}

export interface WriterSettings {
  readonly path: string
  readonly currency: string
  /** The source of the schema that the store opens with. */
  readonly source: SchemaSource
}

type Jobs = ReturnType<typeof jobsBy>

/** The writer's transactions, each by the model that is in use when it begins. */
export class Transactions {
  readonly #db: DatabaseSync
  readonly #currency: string
  readonly #model: ModelRows
  readonly #findGone: () => string | undefined
  #jobs: Jobs
  /** Those of the last commit: a schema that was adopted since is undone with its transaction. */
  #committed: Jobs
  /** The version that the main thread knows. */
  #told: number

  constructor(db: DatabaseSync, { path, currency, source }: WriterSettings) {
    this.#db = db
    this.#currency = currency
    this.#model = modelRows(db)
    this.#jobs = this.#jobsBy(buildSchema(source))
    this.#committed = this.#jobs
    this.#told = source.version
    this.#findGone = watchFiles(path)
  }

  /** Begins one by the model in use, which another process may have changed. */
  begin(): void {
    beginWriting(this.#db)
    if (this.#model.version() > this.#jobs.schema.version) this.#switchTo(buildSchema(this.#model.source()))
    this.#jobs.begin()
  }

  run(job: Job): unknown {
    if (job.kind === 'adopt') {
      this.#switchTo(buildSchema(job.source))
      this.#told = job.source.version
      return undefined
    }
    const outcome = this.#jobs.run(job)
    const { left } = this.#jobs
    if (left !== this.#jobs.schema) this.#switchTo(left)
    return outcome
  }

  commit(): void {
    this.#db.exec('COMMIT')
    this.#committed = this.#jobs
    const gone = this.#findGone()
    if (gone !== undefined) throw new FileGone(gone)
  }

  /** Rolls back; returns a fault if the store failed, not the job. */
  undo(cause: unknown): WriterFault | undefined {
    this.#jobs = this.#committed
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    } catch (another) {
      return { what: UNWRITTEN, cause: String(another), fatal: true }
    }
    if (cause instanceof FileGone) return this.#goneFault(cause.message)
    if (cause instanceof StoreUnavailable) return { what: cause.message, cause: cause.message, fatal: false }
    if (!isStoreFault(cause)) return undefined
    return { what: isDamage(cause) ? DAMAGED : UNWRITTEN, cause: String(cause), fatal: isFatal(cause) }
  }

  /** Replaced files must be noticed before the next write. */
  checkFiles(): WriterFault | undefined {
    const gone = this.#findGone()
    return gone === undefined ? undefined : this.undo(new FileGone(gone))
  }

  /** Indexes waiting rows, in a transaction of its own. */
  indexDue(isIdle: boolean): void {
    const { indexing } = this.#jobs
    if (!indexing.isDue(isIdle)) return
    beginWriting(this.#db)
    indexing.run()
    this.#db.exec('COMMIT')
  }

  /** The model of the last commit, if the main thread does not know it. */
  newModel(): { readonly model?: SchemaSource } {
    const { schema } = this.#committed
    if (schema.version === this.#told) return {}
    this.#told = schema.version
    return { model: sourceOf(schema) }
  }

  /** In a transaction: the indexes of the schema are kept from its first write on. */
  #switchTo(schema: Schema): void {
    for (const index of ownIndexes(schema)) this.#db.prepare(KEEP_OWN_INDEX).run(...index)
    this.#jobs = this.#jobsBy(schema)
  }

  #jobsBy(schema: Schema): Jobs {
    return jobsBy(schema, this.#db, this.#currency, this.#model)
  }

  /** The open file of a removed log still has acknowledged writes: they are written into the database. */
  #goneFault(file: string): WriterFault {
    saveRemovedLog(this.#db, file)
    return { what: 'a file of the database was removed or replaced', cause: file, fatal: true }
  }
}

const UNWRITTEN = 'the database could not be written'

class FileGone extends Error {}
