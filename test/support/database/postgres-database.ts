import pg from 'pg'
import { databaseName, type PostgresServer, startPostgres } from './postgres-server.ts'

/** The address of a database of the test's own, in the run's server: an empty one, or a copy of another one. */
export async function freshDatabase(template = 'template0'): Promise<string> {
  const url = new URL(await serverAddress())
  const name = databaseName()
  making ??= keptConnection(url.href)
  await making((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`))
  url.pathname = `/${name}`
  return url.href
}

/** Removes it before its server goes. */
export async function dropDatabase(address: string): Promise<void> {
  await making?.((client) => client.query(`DROP DATABASE ${new URL(address).pathname.slice(1)} WITH (FORCE)`))
}

let making: KeptConnection | undefined

export type KeptConnection = <T>(use: (client: pg.Client) => Promise<T>) => Promise<T>

/**
 * One connection for everything that a process asks a database past the service, one thing after the other. It keeps no
 * process from ending.
 */
export function keptConnection(connectionString: string, types?: pg.CustomTypesConfig): KeptConnection {
  let kept: Promise<Unreferable> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const forget = (): void => {
    kept = undefined
  }
  const connect = async (): Promise<Unreferable> => {
    const client = new pg.Client({ connectionString, ...(types && { types }) }) as Unreferable
    client.on('error', forget)
    await client.connect()
    return client
  }
  const inTurn: KeptConnection = async (use) => {
    kept ??= connect()
    kept.catch(forget)
    const client = await kept
    client.ref()
    try {
      return await use(client)
    } finally {
      client.unref()
    }
  }
  return (use) => {
    const used = last.then(() => inTurn(use))
    last = used.catch(() => {})
    return used
  }
}

/** The driver has these, its types do not. */
type Unreferable = pg.Client & { ref(): void; unref(): void }

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
