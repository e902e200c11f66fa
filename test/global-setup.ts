import { type PostgresServer, startPostgres } from './postgres-server.ts'

// One PostgreSQL server for the whole run; every test makes a database of its own in it.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  server = await startPostgres()
  process.env.TEST_POSTGRES = server.url('postgres')
}

export async function globalTeardown(): Promise<void> {
  await server?.remove()
}
