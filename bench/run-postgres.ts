import type { Bench } from './bench.ts'
import { measure, type WorkloadResult } from './measure.ts'
import { postgresCopy, startBenchPostgres, withDatabaseCpu } from './postgres-data.ts'
import { startServer } from './server.ts'
import { resultTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

const READS = ['W1', 'W2', 'W3', 'W4']
const WRITES = ['W5', 'W6', 'W16', 'W17']
const WRITERS = 64

/** The service on PostgreSQL and, in the same run on the same database, the least that does the same. */
export async function runPostgres({ options, machine, generator, data, tell, print, save }: Bench): Promise<void> {
  const set = data()
  const postgres = await startBenchPostgres()
  try {
    tell('copying the data set to PostgreSQL …')
    const database = await postgresCopy(postgres, 'measured', set)
    const started = [
      await startServer('service', { database }),
      await startServer('batched', { database }),
      await startServer('pg', { database }),
    ]
    const servers = started.map((server) => withDatabaseCpu(server, postgres))
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
