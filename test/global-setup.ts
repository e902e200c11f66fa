import { rmSync, writeFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'
import { quickFolder } from './support/database/quick-folder.ts'
import { readyPostgres, readySqlite } from './support/database/ready-schema.ts'

// One PostgreSQL server for the whole run; every test makes a database of its own in it.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  const { openApiText } = await compiled(process.env.NODE_COMPILE_CACHE)
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

/**
 * Each file is a process, and so are many services: what is compiled here they need not compile, none of which would
 * leave it to the others before its end.
 */
async function compiled(folder: string) {
  enableCompileCache(folder)
  const [documented] = await Promise.all([
    import('./support/openapi/documented.ts'),
    import('../src/cli/actions/run-service.ts'),
    import('../src/cli/program.ts'),
    import('../src/store/sqlite/write/writer.ts'),
  ])
  flushCompileCache()
  return documented
}

export async function globalTeardown(): Promise<void> {
  await server?.remove()
}
