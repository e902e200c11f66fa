import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DEFAULT_DATABASE, type Settings } from '../config.ts'
import { buildSchema } from '../model/build/build-schema.ts'
import type { SchemaSource } from '../model/schema.ts'
import { isPostgres } from '../values/database-address.ts'
import type { Examination, ExaminationOptions } from './port/examination.ts'
import type { Maintenance, Restored, Vacuumed } from './port/maintenance.ts'
import { type OnStep, type Opening, UnusableDatabase } from './port/opening.ts'
import type { Store } from './port/store.ts'
import type { Transfer, TransferDirection } from './port/transfer.ts'
import { companions } from './sqlite/connect/database-file.ts'
import { openSqlite } from './sqlite/open.ts'

/**
 * The address picks the adapter. An old database is refused, unless `onStep` asks for its migration. What no start of a
 * service needs is loaded where it is used: a start is quicker without it.
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

/** Brings an old database up to date, or makes a new one; says which. */
export async function migrateDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  onStep: OnStep,
): Promise<Opening> {
  const schema = buildSchema()
  if (isPostgres(databaseUrl))
    return (await import('./postgres/schema/migrate.ts')).migrate(databaseUrl, schema, onStep)
  makeDefaultFolder(databaseUrl)
  return (await import('./sqlite/schema/migrate.ts')).prepareDatabase(databaseUrl, schema, onStep)
}

/** Writes a database anew, without the room of what was removed. */
export async function vacuumDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  onStep: OnStep,
): Promise<Vacuumed> {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase(VACUUM)
  return (await import('./sqlite/operate/vacuum.ts')).vacuumSqlite(databaseUrl, buildSchema(), onStep)
}

const VACUUM =
  'PostgreSQL reuses the room of what was removed by itself (autovacuum); VACUUM FULL or pg_repack give it back to the disk'

/** The same for a database that is copied as a whole. */
export async function openTransfer(databaseUrl: string, direction: TransferDirection): Promise<Transfer> {
  const schema = buildSchema()
  if (isPostgres(databaseUrl))
    return (await import('./postgres/operate/transfer.ts')).openPostgresTransfer(databaseUrl, schema, direction)
  return (await import('./sqlite/operate/transfer.ts')).openSqliteTransfer(databaseUrl, schema, direction)
}

/** The same for what an operator does; `mustExist` keeps it from making a database out of a misspelt name. */
export async function openMaintenance(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  { mustExist, source }: { readonly mustExist: boolean; readonly source?: SchemaSource },
): Promise<Maintenance> {
  const schema = buildSchema(source)
  if (isPostgres(databaseUrl))
    return (await import('./postgres/operate/maintenance.ts')).postgresMaintenance(databaseUrl, schema)
  if (mustExist) requireDatabase({ databaseUrl })
  makeDefaultFolder(databaseUrl)
  return (await import('./sqlite/operate/maintenance.ts')).sqliteMaintenance(databaseUrl, schema)
}

/** Looks at a database without changing it, also at one that cannot be opened. */
export async function examineDatabase(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  options: ExaminationOptions,
): Promise<Examination> {
  if (isPostgres(databaseUrl)) return (await import('./postgres/operate/examine.ts')).examinePostgres(databaseUrl)
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

/** Puts a backup in the place of the database. */
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

/** Throws `UnusableDatabase` where there is none. */
export function requireDatabase({ databaseUrl }: Pick<Settings, 'databaseUrl'>): void {
  // Throws where nobody may look.
  if (isPostgres(databaseUrl) || statSync(databaseUrl, { throwIfNoEntry: false }) !== undefined) return
  throw new UnusableDatabase(`there is no database at ${databaseUrl}; DATABASE_URL says where it is`)
}

/** The files that the database has or will have: itself first, none on PostgreSQL. */
export function databaseFiles({ databaseUrl }: Pick<Settings, 'databaseUrl'>): readonly string[] {
  if (isPostgres(databaseUrl)) return []
  // SQLite keeps its other files beside the file that a symbolic link leads to.
  const path = existsSync(databaseUrl) ? realpathSync(databaseUrl) : databaseUrl
  return ['', ...companions].map((end) => path + end)
}

/** Only this one: any other that does not exist is most likely misspelt. */
function makeDefaultFolder(databaseUrl: string): void {
  if (databaseUrl !== DEFAULT_DATABASE) return
  try {
    mkdirSync(dirname(databaseUrl), { recursive: true })
  } catch (cause) {
    throw new UnusableDatabase(`the folder ${dirname(databaseUrl)} cannot be made`, { cause })
  }
}
