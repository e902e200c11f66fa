import pg from 'pg'
import { databaseName, type PostgresServer, startPostgres } from './postgres-server.ts'

/** The address of a database of the test's own, in the run's server: an empty one, or a copy of another one. */
export async function freshDatabase(template = 'template0'): Promise<string> {
  const url = new URL(await serverAddress())
  const name = databaseName()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

let own: Promise<PostgresServer> | undefined

/** A test file that is run without the suite's setup has a server of its own. */
async function serverAddress(): Promise<string> {
  const shared = process.env.TEST_POSTGRES
  if (shared !== undefined) return shared
  own ??= startPostgres()
  const server = await own
  return server.url('postgres')
}

// When nothing is left to do: hooks of the tests, which come later than one of ours would, still use it.
process.once('beforeExit', async () => {
  const server = await own
  await server?.remove()
})
