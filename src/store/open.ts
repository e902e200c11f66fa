import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DEFAULT_DATABASE, type Settings } from '../config.ts'
import type { Schema, SchemaSource } from '../model/declaration/schema.ts'
import { buildSchema } from '../model/schema/build-schema.ts'
import { isPostgres } from '../values/database-address.ts'
import type { Examination, ExaminationOptions } from './port/examination.ts'
import type { Maintenance, Restored, Vacuumed } from './port/maintenance.ts'
import { type OnStep, type Opening, UnusableDatabase } from './port/opening.ts'
import type { Store } from './port/store.ts'
import type { Transfer, TransferDirection } from './port/transfer.ts'
import { companions } from './sqlite/connect/database-file.ts'
import { openSqlite } from './sqlite/open.ts'
import { storedSource } from './sqlite/schema/stored-model.ts'

/**
 * The address selects the adapter. An old database is refused, unless `onStep` asks for its migration. Modules that no
 * start of a service needs are loaded on demand, which makes a start quicker.
 */
export async function openStore(
  { databaseUrl, currency }: Pick<Settings, 'databaseUrl' | 'currency'>,
  onFatal: (cause: Error) => void,
  onNote: (line: string) => void = () => {},
  onStep?: OnStep,
): Promise<Store> {
  if (isPostgres(databaseUrl)) {
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres({ url: databaseUrl, currency, onNote, onStep })
  }
  makeDefaultFolder(databaseUrl)
  return openSqlite({ path: databaseUrl, currency, onFatal, onNote, onStep })
}

/** Migrates an old database, or creates a new one; returns which. */
export async function migrateDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  onStep: OnStep,
): Promise<Opening> {
  if (isPostgres(databaseUrl))
    return (await import('./postgres/schema/migrate.ts')).migrate(databaseUrl, undefined, onStep)
  makeDefaultFolder(databaseUrl)
  const schema = await storedSchema(databaseUrl)
  return (await import('./sqlite/schema/migrate.ts')).prepareDatabase(databaseUrl, schema, onStep)
}

/** The schema of the stored model; that of the source alone if there is no database yet, or none of this release. */
export async function storedSchema(databaseUrl: string): Promise<Schema> {
  if (!isPostgres(databaseUrl)) return buildSchema(storedSource(resolve(databaseUrl)))
  const { storedSource: onServer } = await import('./postgres/schema/migrate.ts')
  return buildSchema(await onServer(databaseUrl))
}

/** Rewrites a database without the space of removed rows. */
export async function vacuumDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  onStep: OnStep,
): Promise<Vacuumed> {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase(VACUUM)
  return (await import('./sqlite/operate/vacuum.ts')).vacuumSqlite(databaseUrl, await storedSchema(databaseUrl), onStep)
}

const VACUUM =
  'PostgreSQL reuses the room of what was removed by itself (autovacuum); VACUUM FULL or pg_repack give it back to the disk'

/** The same for a database that is copied as a whole. */
export async function openTransfer(databaseUrl: string, direction: TransferDirection): Promise<Transfer> {
  const schema = await storedSchema(databaseUrl)
  if (isPostgres(databaseUrl))
    return (await import('./postgres/operate/transfer.ts')).openPostgresTransfer(databaseUrl, schema, direction)
  return (await import('./sqlite/operate/transfer.ts')).openSqliteTransfer(databaseUrl, schema, direction)
}

/** The same for an operator's work; `mustExist` keeps a misspelt name from creating a database. */
export async function openMaintenance(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  { mustExist, source }: { readonly mustExist: boolean; readonly source?: SchemaSource },
): Promise<Maintenance> {
  const schema = source === undefined ? await storedSchema(databaseUrl) : buildSchema(source)
  if (isPostgres(databaseUrl))
    return (await import('./postgres/operate/maintenance.ts')).postgresMaintenance(databaseUrl, schema)
  if (mustExist) requireDatabase({ databaseUrl })
  makeDefaultFolder(databaseUrl)
  return (await import('./sqlite/operate/maintenance.ts')).sqliteMaintenance(databaseUrl, schema)
}

/** Examines a database without changing it, also one that cannot be opened. */
export async function examineDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  options: ExaminationOptions,
): Promise<Examination> {
  if (isPostgres(databaseUrl))
    return (await import('./postgres/operate/examine.ts')).examinePostgres(databaseUrl, options)
  const makesFolder = databaseUrl === DEFAULT_DATABASE
  return (await import('./sqlite/operate/examine.ts')).examineSqlite(databaseUrl, { ...options, makesFolder })
}

/** Copies a database as of one moment, while others write; returns notes for the operator. */
export async function backUpDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  file: string,
  onProgress: (share: number) => void,
): Promise<readonly string[]> {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase(BACKUP)
  return (await import('./sqlite/operate/backup.ts')).backUpSqlite(databaseUrl, file, onProgress)
}

const BACKUP = 'PostgreSQL is backed up by its own tools: pg_dump for a copy to keep, pgBackRest for any point in time'

/** Replaces the database by a backup. */
export async function restoreDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  file: string,
  onProgress: (share: number) => void,
): Promise<Restored> {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase(RESTORE)
  makeDefaultFolder(databaseUrl)
  return (await import('./sqlite/operate/restore.ts')).restoreSqlite(databaseUrl, file, onProgress)
}

const RESTORE =
  'PostgreSQL is restored by its own tools, such as pg_restore; a backup of SQLite goes into an empty database with: dealdesk copy FILE postgres://…'

/** Throws `UnusableDatabase` if there is no database. */
export function requireDatabase({ databaseUrl }: Pick<Settings, 'databaseUrl'>): void {
  // Throws if access is denied.
  if (isPostgres(databaseUrl) || statSync(databaseUrl, { throwIfNoEntry: false }) !== undefined) return
  const why = `there is no database at ${databaseUrl}`
  throw new UnusableDatabase(`${why}; DATABASE_URL says where it is, and a start of the service creates it`)
}

/** The files of the database, existing or not: itself first, none on PostgreSQL. */
export function databaseFiles({ databaseUrl }: Pick<Settings, 'databaseUrl'>): readonly string[] {
  if (isPostgres(databaseUrl)) return []
  // SQLite keeps its other files next to the target of a symbolic link.
  const path = existsSync(databaseUrl) ? realpathSync(databaseUrl) : databaseUrl
  return ['', ...companions].map((end) => path + end)
}

/** Only this folder: any other that does not exist is probably misspelt. */
function makeDefaultFolder(databaseUrl: string): void {
  if (databaseUrl !== DEFAULT_DATABASE) return
  try {
    mkdirSync(dirname(databaseUrl), { recursive: true })
  } catch (cause) {
    throw new UnusableDatabase(`the folder ${dirname(databaseUrl)} cannot be made`, { cause })
  }
}
