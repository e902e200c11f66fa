import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../../model/declaration/schema.ts'
import { behindText, type OnStep, type Opening, UnusableDatabase } from '../../port/opening.ts'
import { BUSY_TIMEOUT, ERASING } from '../connect/connection.ts'
import { isInterrupted, makeFile, narrowMode, requirePlace, untouchedAddress } from '../connect/database-file.ts'
import { areTotalsKept, keepTotals } from './kept-totals.ts'
import { migrations } from './migrations.ts'
import { orderRows } from './row-order.ts'
import { forgetNumbers, indexLater, isSearchPrepared, prepareSearch, waitingRows } from './search-index.ts'

/** Marks a file as ours: 'deal' in ASCII. */
const APPLICATION_ID = 0x6465616c

/**
 * Creates the database if it is missing, or migrates it, in steps that are each committed: the next start continues
 * where one was killed. Without `onStep` an old schema is refused. Throws `UnusableDatabase`.
 */
export function prepareDatabase(path: string, schema: Schema, onStep?: OnStep): PreparedDatabase {
  requirePlace(path)
  const found = statSync(path, { throwIfNoEntry: false })
  const isNew = found === undefined || found.size === 0
  try {
    if (found === undefined) makeFile(path)
    else if (!isNew) inspect(path)
    // A migration may change the declared constraints of a table whose rows stay unchanged.
    using db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT, defensive: false })
    // Before a long migration, and after it: the log has the mode of the file.
    const notes = narrowMode(path)
    db.exec(`${ERASING}; PRAGMA journal_mode = WAL`)
    migrate(db, path, schema, onStep)
    return { isNew, notes: [...notes, ...narrowMode(path)], isIndexed: waitingRows(db, schema) <= FEW_ROWS }
  } catch (cause) {
    throw asUnusable(cause, path)
  }
}

export interface PreparedDatabase extends Opening {
  /** Whether the index covers all but a few rows: a migration may have been killed before. */
  readonly isIndexed: boolean
}

/** Checks a file without writing, so that an unusable one stays unchanged; throws `UnusableDatabase`. */
export function inspectDatabase(path: string): void {
  try {
    inspect(path)
  } catch (cause) {
    throw asUnusable(cause, path)
  }
}

function inspect(path: string): void {
  refuseOtherFiles(path)
  using db = new DatabaseSync(untouchedAddress(path), { readOnly: !isInterrupted(path), timeout: BUSY_TIMEOUT })
  refuseForeign(db, path)
  refuseNewer(db, path)
}

/** SQLite takes a file of a few bytes for an empty database and would overwrite it. */
function refuseOtherFiles(path: string): void {
  const start = Buffer.alloc(16)
  const file = openSync(path, 'r')
  readSync(file, start)
  closeSync(file)
  if (start.toString('latin1') !== 'SQLite format 3\0') throw new UnusableDatabase(`${path} is not a database file`)
}

function refuseForeign(db: DatabaseSync, path: string): void {
  const id = pragma(db, 'application_id')
  // Reads the whole schema, so that a damaged one is found here.
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n
  if (id === APPLICATION_ID) return
  if (id !== 0 || tables !== 0) throw new UnusableDatabase(`${path} is a database of another program`)
}

function migrate(db: DatabaseSync, path: string, schema: Schema, onStep: OnStep | undefined): void {
  const found = pragma(db, 'user_version')
  if (found === 0) return inStep(db, () => makeAll(db, schema))
  if (found === migrations.length && isSearchPrepared(db, schema) && areTotalsKept(db, schema)) {
    if (onStep !== undefined) indexAll(db, schema, onStep)
    return
  }
  if (onStep === undefined) throw new DatabaseBehind(behindText(path, found, migrations.length))
  for (const [at, migration] of migrations.entries()) {
    if (at < found) continue
    onStep(`step ${at + 1} of ${migrations.length}`)
    inStep(db, () => {
      refuseNewer(db, path)
      // Another process may have made it.
      if (pragma(db, 'user_version') > at) return
      db.exec(`${migration.sql}; PRAGMA user_version = ${at + 1}`)
    })
  }
  onStep('the order of the rows')
  inStep(db, () => {
    if (orderRows(db, schema)) forgetNumbers(db)
  })
  onStep('the search index')
  inStep(db, () => prepareSearch(db, schema))
  onStep('the totals that are kept')
  inStep(db, () => keepTotals(db, schema))
  indexAll(db, schema, onStep)
}

/** In one transaction, unless another process was faster. */
function makeAll(db: DatabaseSync, schema: Schema): void {
  if (pragma(db, 'user_version') !== 0) return
  for (const { sql } of migrations) db.exec(sql)
  prepareSearch(db, schema)
  keepTotals(db, schema)
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
}

/** Indexes the rows that a new index has noted; a few are left to the writer. */
function indexAll(db: DatabaseSync, schema: Schema, onStep: OnStep): void {
  for (let left = waitingRows(db, schema); left > FEW_ROWS; left = waitingRows(db, schema)) {
    onStep(`the search index: ${left} rows are left`)
    inStep(db, () => indexLater(db, schema, ROWS_OF_STEP))
  }
}

const FEW_ROWS = 1000
const ROWS_OF_STEP = 100_000

function inStep(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

/** A separate class, so that a start can migrate in another thread. */
export class DatabaseBehind extends UnusableDatabase {}

function refuseNewer(db: DatabaseSync, path: string): void {
  const version = pragma(db, 'user_version')
  if (version <= migrations.length) return
  throw new UnusableDatabase(
    `${path} was written by a newer release (schema ${version}, this one knows ${migrations.length}); start that release`,
  )
}

const pragma = (db: DatabaseSync, name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0)

function asUnusable(cause: unknown, path: string): Error {
  if (cause instanceof UnusableDatabase || !(cause instanceof Error)) return cause as Error
  const reason = reasons.find(([pattern]) => pattern.test(cause.message))?.[1] ?? `cannot be opened: ${cause.message}`
  return new UnusableDatabase(`${path} ${reason}`, { cause })
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/locked|busy/i, 'is locked by another program'],
  [/not a database/i, 'is not a database file'],
  [/malformed|corrupt/i, 'is damaged; restore it from a backup'],
  [/readonly|EROFS/i, 'cannot be written'],
  [/unable to open|ENOENT|EACCES|EPERM/i, 'cannot be opened; may this user read and write it?'],
  [/full/i, 'cannot be written: the disk is full'],
]
