import { join } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'

// One PostgreSQL server for the whole run; every test makes a database of its own in it.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  // Each file is a process, and so are many services: what one has compiled the next need not compile again.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')
  server = await startPostgres()
  process.env.TEST_POSTGRES = server.url('postgres')
}

export async function globalTeardown(): Promise<void> {
  await server?.remove()
}
