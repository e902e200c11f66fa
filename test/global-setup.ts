import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'
import { quickFolder } from './support/database/quick-folder.ts'
import { readyPostgres, readySqlite } from './support/database/ready-schema.ts'
import { openApiText } from './support/openapi/documented.ts'

// One PostgreSQL server for the whole run; every test makes a database of its own in it.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  // Each file is a process, and so are many services: what one has compiled the next need not compile again.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  const folder = quickFolder()
  // Each test copies a database, which takes a disk ten times as much computing. What was committed is not kept long.
  server = await startPostgres(['max_wal_size=128MB'], undefined, folder)
  process.env.TEST_POSTGRES = server.url('postgres')
  if (folder !== undefined) {
    process.env.TMPDIR = folder
    // Also of a run that is broken off.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  process.env.TEST_SQLITE = readySqlite()
  process.env.TEST_OPENAPI = join(dirname(readySqlite()), 'openapi.json')
  writeFileSync(process.env.TEST_OPENAPI, openApiText())
  process.env.TEST_POSTGRES_READY = await readyPostgres()
}

export async function globalTeardown(): Promise<void> {
  await server?.remove()
}
