import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDatabase } from '../../../src/store/sqlite/schema/migrate.ts'
import { schema } from '../schema.ts'

// A database without rows is made once in a run and copied for each test: that takes a tenth of what migrations take.

/** The file that is copied: that of the run, or one of this process. */
export const readySqlite = (): string => {
  sqlite ??= process.env.TEST_SQLITE ?? makeSqlite()
  return sqlite
}

let sqlite: string | undefined

function makeSqlite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ready.db')
  prepareDatabase(file, schema)
  return file
}

export const copyReady = (file: string): void => copyFileSync(readySqlite(), file)

/** The name of the database that is copied. */
export const readyPostgres = (): Promise<string> => {
  postgres ??= makePostgres()
  return postgres
}

let postgres: Promise<string> | undefined

async function makePostgres(): Promise<string> {
  const made = process.env.TEST_POSTGRES_READY
  if (made !== undefined) return made
  const { freshDatabase } = await import('./postgres-database.ts')
  const { migrate } = await import('../../../src/store/postgres/schema/migrate.ts')
  const url = await freshDatabase()
  await migrate(url, schema)
  return new URL(url).pathname.slice(1)
}
