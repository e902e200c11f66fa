import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildSchema } from '../../../model/schema/build-schema.ts'
import {
  clockFinding,
  type Examination,
  type ExaminationOptions,
  type Finding,
  fault,
  indexFinding,
  note,
  ok,
  schemaFinding,
} from '../../port/examination.ts'
import { indexChecks } from '../../transactions/model/wrong-indexes.ts'
import { requirePlace } from '../connect/database-file.ts'
import { inspectDatabase } from '../schema/migrate.ts'
import { migrations } from '../schema/migrations.ts'
import { modelRows } from '../schema/stored-model.ts'
import { sqlite } from '../sql/dialect.ts'
import { derivedFinding } from './derived.ts'

/** Beyond this a complete check takes minutes. */
const LARGEST_CHECKED = 2 ** 30
/** Less than this lasts only for hours. */
const LEAST_FREE = 64 * 2 ** 20

interface SqliteOptions extends ExaminationOptions {
  /** Whether a start also creates the folder of the database. */
  readonly makesFolder: boolean
}

/** Examines a database file, with or without a running service. */
export function examineSqlite(path: string, { isThorough, makesFolder }: SqliteOptions): Examination {
  const file = resolve(path)
  let size: number | undefined
  const made = makesFolder && !existsSync(dirname(file)) ? dirname(file) : file
  try {
    requirePlace(made)
    size = statSync(file, { throwIfNoEntry: false })?.size
    requireWritable(made, size !== undefined)
  } catch (cause) {
    return { findings: [fault('database', (cause as Error).message)], hasUsers: undefined }
  }
  const disk = diskFinding(made, size ?? 0)
  if (size === undefined || size === 0) {
    const findings = [note('database', `${path} does not exist; the next start makes it`), disk]
    return { findings, hasUsers: false }
  }
  try {
    inspectDatabase(file)
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    const first = (sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0]
    const version = Number(first('PRAGMA user_version'))
    const whole = size > LARGEST_CHECKED && !isThorough ? undefined : String(first('PRAGMA quick_check(1)'))
    const findings = [
      contentFinding(path, size, whole),
      schemaFinding(version, migrations.length),
      disk,
      modeFinding(file),
    ]
    // Another schema may have other tables.
    if (version !== migrations.length) return { findings, hasUsers: undefined }
    const latest = first('SELECT at FROM events ORDER BY sequence DESC LIMIT 1') as string | undefined
    return {
      findings: [
        ...findings,
        clockFinding(latest, new Date()),
        ...(isThorough ? [derivedFinding(db, buildSchema()), indexFinding(wrongIndexes(db))] : []),
      ],
      hasUsers: first('SELECT 1 FROM users LIMIT 1') === 1,
    }
  } catch (cause) {
    return { findings: [fault('database', (cause as Error).message), disk], hasUsers: undefined }
  }
}

/** The tables of indexed values that are not as the things give them. */
const wrongIndexes = (db: DatabaseSync): readonly string[] =>
  indexChecks(sqlite, buildSchema(modelRows(db).source()))
    .filter(({ texts }) => texts.some((text) => db.prepare(text).get() !== undefined))
    .map(({ table }) => table)

/** The write-ahead log is next to the database. */
function requireWritable(file: string, exists: boolean): void {
  for (const path of [dirname(file), ...(exists ? [file] : [])]) {
    try {
      accessSync(path, constants.W_OK)
    } catch {
      throw new Error(`${path} cannot be written by this user; change its owner or its mode`)
    }
  }
}

function contentFinding(path: string, size: number, whole: string | undefined): Finding {
  if (whole === undefined)
    return ok('database', `${path}, ${megabytes(size)}; not read as a whole, which --thorough does`)
  if (whole === 'ok') return ok('database', `${path}, ${megabytes(size)}, whole`)
  // SQLite's error for a page that the disk did not return. https://sqlite.org/rescode.html#ioerr
  const code = Number(/error code[ =](\d+)/.exec(whole)?.[1] ?? 0)
  if (code % 256 === 10)
    return fault('database', `${path} cannot be read as a whole: the disk reports an error (${whole})`)
  return fault('database', `${path} is damaged (${whole}); restore it from a backup`)
}

/** A backup and a checkpoint need free space. */
function diskFinding(file: string, size: number): Finding {
  const { bavail, bsize } = statfsSync(dirname(file))
  const free = bavail * bsize
  if (free < LEAST_FREE) return fault('disk', `${megabytes(free)} are free in ${dirname(file)}; make room`)
  if (free < size) return note('disk', `${megabytes(free)} are free in ${dirname(file)}, less than a backup needs`)
  return ok('disk', `${megabytes(free)} are free in ${dirname(file)}`)
}

function modeFinding(file: string): Finding {
  const mode = statSync(file).mode & 0o777
  const shown = mode.toString(8).padStart(4, '0')
  if ((mode & 0o077) === 0 || process.platform === 'win32') return ok('mode', `the database is for its owner alone`)
  return note('mode', `the database is open to other users (${shown}); the next start narrows that`)
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`
