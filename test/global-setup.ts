import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'
import { quickFolder } from './support/database/quick-folder.ts'
import { readyPostgres, readySqlite } from './support/database/ready-schema.ts'

// One PostgreSQL server for the whole run; every test makes a database of its own in it.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  const { openApiText } = await compiled(process.env.NODE_COMPILE_CACHE)
  const folder = quickFolder() ?? runFolder()
  // Also of a run that is broken off. What a test that failed leaves goes with it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Each test copies a database, which takes a disk ten times as much computing. What was committed is not kept long.
  server = await startPostgres(['max_wal_size=128MB'], undefined, folder)
  process.env.TEST_POSTGRES = server.url('postgres')
  process.env.TMPDIR = folder
  process.env.TEST_SQLITE = readySqlite()
  process.env.TEST_OPENAPI = join(dirname(readySqlite()), 'openapi.json')
  writeFileSync(process.env.TEST_OPENAPI, openApiText())
  process.env.TEST_POSTGRES_READY = await readyPostgres()
}

function runFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-tests-'))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  return folder
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
