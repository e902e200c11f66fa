import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { openTransfer } from '../src/store/open.ts'
import { copyDatabase } from '../src/store/transactions/copy-database.ts'
import { type PostgresServer, startPostgres } from '../test/support/database/postgres-server.ts'
import { databaseCpu } from './cost.ts'
import type { DataSet } from './data-set.ts'
import type { Server } from './server.ts'

/** A PostgreSQL of the run's own, which waits for the disk; its log has no full pages, whose number is chance. */
export const startBenchPostgres = (): Promise<PostgresServer> => startPostgres(['fsync=on', 'shared_buffers=512MB'])

/** The address of a new database with the data set. */
export async function postgresCopy(postgres: PostgresServer, name: string, { path }: DataSet): Promise<string> {
  await asked(postgres.url('postgres'), `CREATE DATABASE ${name}`)
  const url = postgres.url(name)
  const source = await openTransfer(path, 'out')
  const target = await openTransfer(url, 'in')
  const result = await copyDatabase(source, target, () => {})
  await source.close()
  await target.close()
  if ('refused' in result) throw new Error(`the data set was not copied: ${result.table} ${result.refused}`)
  await asked(url, 'VACUUM ANALYZE')
  return url
}

/** The same as another checkout copies it, whose tables may differ. */
export async function postgresCopyBy(
  checkout: string,
  postgres: PostgresServer,
  name: string,
  { path }: DataSet,
): Promise<string> {
  await asked(postgres.url('postgres'), `CREATE DATABASE ${name}`)
  const url = postgres.url(name)
  execFileSync(process.execPath, ['src/start.js', 'copy', path, url], { cwd: checkout, stdio: 'ignore' })
  await asked(url, 'VACUUM ANALYZE')
  return url
}

/** Bytes that the server has put into its write-ahead log so far. */
export async function walBytes(postgres: PostgresServer): Promise<number> {
  return Number(await asked(postgres.url('postgres'), `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn`))
}

/** The database works for one server at a time: what it uses belongs to that one. */
export const withDatabaseCpu = (server: Server, postgres: PostgresServer): Server => ({
  ...server,
  async cost() {
    const cost = await server.cost()
    return { ...cost, cpu: cost.cpu + databaseCpu(postgres.pid) }
  },
})

async function asked(connectionString: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}
