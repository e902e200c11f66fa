import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { CustomerChunk } from '../../../model/customer/chunk.ts'
import { customer } from '../../../model/customer/customer.ts'
import { addCounts, type ImportCounts, noRows, rowsOf } from '../../../model/customer/imported.ts'
import type { DoneBy } from '../../../model/event.ts'
import type { UploadRun } from '../../port/import-store.ts'
import type { ImportedChunk } from '../../port/maintenance.ts'
import { importWorks, SUPERSEDED } from '../../work/imports/imports.ts'
import { connect } from '../connect/connection.ts'
import { workRunner } from '../connect/statements.ts'
import { appendGrams, type GramAppender, indexLater } from '../schema/search-index.ts'
import { beginWriting, isBusy, pause, TURN, waitByAsking } from '../schema/transaction.ts'
import { sqlite } from '../sql/dialect.ts'
import { tableStatements } from '../write/table-statements.ts'
import { customerChunks } from './customer-chunks.ts'
import type { ReadyDocuments } from './ready-documents.ts'

// The thread that writes imported customers while the main thread reads and checks the next ones.

export interface ImportWorkerSettings {
  readonly path: string
  /** The expected number of rows; undefined if unknown. */
  readonly expected: number | undefined
  /** Who imports; null on the command line. */
  readonly by: DoneBy
  /** Undefined on the command line. */
  readonly run: UploadRun | undefined
}

export interface ChunkMessage {
  readonly chunk: ImportedChunk
  readonly now: string
  readonly ready?: ReadyDocuments
}

export type ImportMessage = ChunkMessage | 'commit' | 'rollback' | 'close'

export type ImportReply =
  | {
      /** The counts of this message's rows. */
      readonly counts: ImportCounts
      /** The state of the rows since the last durable batch. */
      readonly batch: 'open' | 'durable' | 'undone'
    }
  | { readonly failed: string }

/** From this number of rows on, rebuilding the indexes is faster than updating them. */
const WORTH_REBUILDING = 50_000
/** Limits how many rows a power cut can undo and how long a starting service waits. */
const LARGEST_REBUILD = 1_000_000
/** Milliseconds: other writers wait no longer than this and one chunk. */
const LONGEST_BATCH = 250
/** KiB. Appended rows need few pages, and parts of an index that are sorted in the processor's caches are faster. */
const CACHE_REBUILDING = 2_048
/** KiB. Updates of indexes in random order need many pages. */
const CACHE = 49_152

function runImport({ path, expected = 0, by, run }: ImportWorkerSettings): void {
  const db = connect(path)
  db.exec(`PRAGMA wal_autocheckpoint = 16384; PRAGMA threads = 2`)
  const chunks = customerChunks(db)
  const imports = importWorks(sqlite, tableStatements.append)
  const runWork = workRunner(db)
  const countAll = db.prepare('SELECT count(*) AS n FROM customers')
  waitByAsking(db)
  /** The statements that recreate the indexes dropped in the current transaction. */
  let rebuild: readonly string[] = []
  /** While they are dropped, rows are added to the index of grams as they are inserted. */
  let grams: GramAppender | undefined
  let rows = 0
  let total = 0
  /** On the command line an import keeps its counts under an id of its own. */
  const own = { id: randomUUID(), runner: randomUUID() }
  /** The counts of the current batch. */
  let reached = noRows
  let batches = 0
  let until = 0

  /** Many rows, mostly new ones: changes and repetitions leave most of the indexes as they are. */
  const isWorthRebuilding = (chunk: CustomerChunk): boolean => {
    const toCome = Math.min(expected - total, LARGEST_REBUILD)
    if (toCome < WORTH_REBUILDING || toCome < Number(countAll.get()?.n)) return false
    chunks.begin()
    return chunks.countNew(chunk) > chunk.rows / 2
  }

  const begin = (chunk: CustomerChunk): void => {
    const alone = isWorthRebuilding(chunk) && beginAlone(db)
    rebuild = alone ? dropIndexes(db) : []
    grams = alone ? appendGrams(db, customer) : undefined
    if (!db.isTransaction) beginWriting(db)
    db.exec(`PRAGMA cache_size = -${alone ? CACHE_REBUILDING : CACHE}`)
    chunks.begin(grams)
    rows = 0
    until = performance.now() + LONGEST_BATCH
  }

  const commit = (): void => {
    const alone = rebuild.length > 0
    for (const sql of rebuild) db.exec(sql)
    if (grams === undefined) indexLater(db)
    else grams.end()
    rebuild = []
    grams = undefined
    record()
    db.exec('COMMIT')
    if (alone) shareAgain(db)
  }

  const record = (): void => {
    if (run === undefined && rowsOf(reached) > 0) runWork(imports.record(own, ++batches, reached))
    reached = noRows
  }

  const write = ({ chunk, now, ready }: ChunkMessage, more: boolean): ImportReply => {
    if (!db.isTransaction) begin(chunk)
    const counts = chunks.write(chunk, now, ready)
    if (chunk.step !== undefined && !runWork(imports.advance(chunk.step, counts))) throw new Error(SUPERSEDED)
    reached = addCounts(reached, counts)
    rows += chunk.rows
    total += chunk.rows
    const goesOn =
      rebuild.length > 0 ? rows < LARGEST_REBUILD : more && chunk.step === undefined && performance.now() < until
    if (goesOn) return { counts, batch: 'open' }
    commit()
    pause(TURN)
    return { counts, batch: 'durable' }
  }

  const rollback = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
    reached = noRows
    if (rebuild.length > 0) shareAgain(db)
    rebuild = []
    grams = undefined
  }

  /** Commits the import's event together with the current batch, if there is one. */
  const finish = (): void => {
    if (!db.isTransaction) beginWriting(db)
    record()
    runWork(imports.tell(run ?? own, by))
    if (run === undefined) runWork(imports.forget(own))
    // Those that were broken off before.
    runWork(imports.trim(new Date().toISOString()))
    commit()
  }

  const act = (message: ImportMessage, more: boolean): ImportReply => {
    if (typeof message === 'object') return write(message, more)
    if (message === 'rollback') {
      rollback()
      finish()
      return { counts: noRows, batch: 'undone' }
    }
    finish()
    return { counts: noRows, batch: 'durable' }
  }

  /** After a failed batch nothing more is written. */
  let failure: ImportReply | undefined
  const answer = (message: ImportMessage, more: boolean): ImportReply => {
    try {
      return failure ?? act(message, more)
    } catch (cause) {
      rollback()
      failure = { failed: cause instanceof Error ? cause.message : String(cause) }
      return failure
    }
  }

  const port = parentPort
  port?.on('message', (first: ImportMessage) => {
    // A batch stays open only while chunks are waiting: other writers must not wait for a slow source.
    for (let message: ImportMessage | undefined = first; message !== undefined; ) {
      if (message === 'close') {
        db.close()
        port.close()
        return
      }
      const next = receiveMessageOnPort(port)?.message as ImportMessage | undefined
      port.postMessage(answer(message, typeof next === 'object'))
      message = next
    }
  })
}

/**
 * Begins a transaction without the write-ahead log, if nobody else has the database open: appended rows are then
 * written once instead of twice. Returns false if somebody has.
 */
function beginAlone(db: DatabaseSync): boolean {
  try {
    if (db.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode !== 'delete') return false
    db.exec('BEGIN EXCLUSIVE')
    return true
  } catch (cause) {
    if (!isBusy(cause)) throw cause
    shareAgain(db)
    return false
  }
}

/** Turns the log on again, unless another process that opened the database has done so. */
function shareAgain(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } catch (cause) {
    if (!isBusy(cause)) throw cause
  }
}

/** Drops the indexes inside the transaction, so that a rollback restores them. Returns the statements that recreate them. */
function dropIndexes(db: DatabaseSync): readonly string[] {
  const indexes = db
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'customers' AND sql IS NOT NULL`)
    .all()
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`)
  return indexes.map(({ sql }) => String(sql))
}

if (workerData !== null) runImport(workerData as ImportWorkerSettings)
