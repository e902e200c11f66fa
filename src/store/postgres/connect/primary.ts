import pg from 'pg'
import { databaseHosts } from '../../../values/database-address.ts'

/** Milliseconds for the first connection: a machine that starts many programs at once is slow. */
export const FIRST_CONNECT_TIMEOUT = 20_000

/** A client at the address's host or, of several hosts, at the current primary: the others are standbys. */
export async function connectPrimary(
  url: string,
  options: Omit<pg.ClientConfig, 'connectionString'>,
): Promise<pg.Client> {
  const hosts = databaseHosts(url)
  const isOne = hosts.length === 1
  const connecting = hosts.map((host) => connectTo(host, options, isOne))
  try {
    const first = await Promise.any(connecting)
    // More than one answers only for a moment, if ever.
    for (const other of connecting) other.then((client) => (client === first ? undefined : client.end()), ignore)
    return first
  } catch (cause) {
    const faults = (cause as AggregateError).errors
    throw faults.find((each) => !(each instanceof StandbyServer)) ?? faults[0]
  }
}

/** A database's address as an operator knows it, without the password. */
export const placeOf = (url: string): string => url.replace(/\/\/.*@/, '//').replace(/\?.*/, '')

/** A server that refuses writes, with the error code that a write would get. */
class StandbyServer extends Error {
  override readonly name = 'StandbyServer'
  readonly code = '25006'
}

async function connectTo(
  connectionString: string,
  options: Omit<pg.ClientConfig, 'connectionString'>,
  isOne: boolean,
): Promise<pg.Client> {
  const client = new pg.Client({ ...options, connectionString })
  // Without a listener an error would end the process, even while connecting.
  client.on('error', ignore)
  await client.connect()
  if (isOne) return client
  const { rows } = await client.query<{ readonly standby: boolean | string }>(
    'SELECT pg_is_in_recovery()::int AS standby',
  )
  if (Number(rows[0]?.standby) === 0) return client
  await client.end()
  throw new StandbyServer(`${client.host}:${client.port} is a standby`)
}

const ignore = (): void => {}
