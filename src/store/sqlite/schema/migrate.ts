import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Opening, UnusableDatabase } from '../../port/opening.ts'
import { BUSY_TIMEOUT } from '../connect/connection.ts'
import { makeFile, narrowMode, requirePlace } from '../connect/database-file.ts'
import { areTotalsKept, keepTotals } from './kept-totals.ts'
import { migrations } from './migrations.ts'
import { isSearchPrepared, prepareSearch } from './search-index.ts'

/** Marks a file as ours: 'deal' in ASCII. */
const APPLICATION_ID = 0x6465616c

/** Creates the database if it is missing and migrates its schema; throws `UnusableDatabase`. */
export function prepareDatabase(path: string): Opening {
  requirePlace(path)
  const found = statSync(path, { throwIfNoEntry: false })
  const isNew = found === undefined || found.size === 0
  try {
    if (found === undefined) makeFile(path)
    else if (!isNew) inspect(path)
    const notes = narrowMode(path)
    // A migration may change what the schema says of a table whose rows stay as they are.
    using db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT, defensive: false })
    db.exec('PRAGMA journal_mode = WAL')
    migrate(db, path)
    return { isNew, notes }
  } catch (cause) {
    throw asUnusable(cause, path)
  }
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
  const address = pathToFileURL(path)
  // `immutable` keeps SQLite from creating the files of a write-ahead log.
  const interrupted = existsSync(`${path}-journal`)
  if (!existsSync(`${path}-wal`) && !interrupted) address.searchParams.set('immutable', '1')
  // The journal of a killed import must be rolled back first.
  using db = new DatabaseSync(address, { readOnly: !interrupted, timeout: BUSY_TIMEOUT })
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

function migrate(db: DatabaseSync, path: string): void {
  if (pragma(db, 'user_version') === migrations.length && isSearchPrepared(db) && areTotalsKept(db)) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Checked again under the lock: another process may have migrated.
    refuseNewer(db, path)
    for (const sql of migrations.slice(pragma(db, 'user_version'))) db.exec(sql)
    prepareSearch(db)
    keepTotals(db)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`)
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

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
