import pg from 'pg'
import { openTransfer } from '../src/store/open.ts'
import { copyDatabase } from '../src/store/work/copy-database.ts'
import { startPostgres } from '../test/support/database/postgres-server.ts'
import type { Bench } from './bench.ts'
import { databaseCpu } from './cost.ts'
import { measure, type WorkloadResult } from './measure.ts'
import { type Server, startServer } from './server.ts'
import { resultTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

const READS = ['W1', 'W2', 'W3', 'W4']
const WRITES = ['W5', 'W6']
const WRITERS = 64

/** The service on PostgreSQL and, in the same run on the same database, the least that does the same. */
export async function runPostgres({ options, machine, generator, data, tell, print, save }: Bench): Promise<void> {
  const set = data()
  const postgres = await startPostgres(['fsync=on', 'shared_buffers=512MB'])
  try {
    const database = postgres.url('postgres')
    tell('copying the data set to PostgreSQL …')
    await copyTo(database, set.path)
    // The database works for one of them at a time: what it uses belongs to that one.
    const withDatabase = (server: Server): Server => ({
      ...server,
      async cost() {
        const cost = await server.cost()
        return { ...cost, cpu: cost.cpu + databaseCpu(postgres.pid) }
      },
    })
    const { beside: checkout } = options
    const started = [
      await startServer('service', { database }),
      ...(checkout === undefined ? [] : [await startServer('beside', { database, checkout })]),
      await startServer('batched', { database, environment: { BATCHED: 'yes' } }),
      await startServer('pg', { database }),
    ]
    const servers = started.map(withDatabase)
    const results: WorkloadResult[] = []
    for (const workload of [...READS, ...WRITES].filter((name) => options.only.includes(name)).map(workloadNamed)) {
      tell(`${workload.name} ${workload.title} …`)
      const isWrite = WRITES.includes(workload.name)
      const measured = servers.filter(({ name }) => isWrite || name !== 'batched')
      const rounds = isWrite ? { ...options, connections: WRITERS } : options
      results.push(await measure(workload, measured, set, generator, rounds))
    }
    for (const server of servers) await server.stop()
    const { customers, deals } = set
    print(resultTable(results))
    save(options.json, JSON.stringify({ machine, customers, deals, store: 'postgres', results }, null, 2))
  } finally {
    await postgres.remove()
  }
}

async function copyTo(database: string, path: string): Promise<void> {
  const source = await openTransfer(path, 'out')
  const target = await openTransfer(database, 'in')
  const result = await copyDatabase(source, target, () => {})
  await source.close()
  await target.close()
  if ('refused' in result) throw new Error(`the data set was not copied: ${result.table} ${result.refused}`)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}
