import type { Bench } from './bench.ts'
import { barChart } from './chart.ts'
import { databaseFor } from './data-set.ts'
import { measure, type WorkloadResult } from './measure.ts'
import { measureWritten, writtenTable } from './run-written.ts'
import { type Server, type ServerName, startServer } from './server.ts'
import { measureStartUps } from './start-up.ts'
import { resultTable, startUpTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

/** The main table: every workload on the service and, in the same run, on its ceilings. */
export async function runTable(bench: Bench): Promise<void> {
  const { options, machine, generator, scratch, data, tell, print, save } = bench
  const set = data()
  const chosen = options.only.map(workloadNamed)
  const databases = new Map<ServerName, string>()
  const start = (name: ServerName): Promise<Server> => {
    const database = databases.get(name) ?? (name === 'static' ? '' : databaseFor(name, set, scratch))
    databases.set(name, database)
    return startServer(name, { database })
  }

  tell('start-up …')
  const starts = options.startups > 0 ? await measureStartUps(['service', 'bare'], options.startups, start) : []
  const results: WorkloadResult[] = []
  for (const workload of chosen) {
    tell(`${workload.name} ${workload.title} …`)
    // Processes of its own: what a workload leaves in memory is not the next one's.
    const servers = await Promise.all((['service', ...workload.ceilings] as const).map(start))
    results.push(await measure(workload, servers, set, generator, options))
    for (const server of servers) await server.stop()
  }

  const written = await measureWritten(bench)
  const { customers, deals } = set
  const { rounds, seconds } = options
  print(resultTable(results))
  if (starts.length > 0) print(`\n${startUpTable(starts)}`)
  if (written.length > 0) print(`\n${writtenTable(written)}`)
  const result = { machine, customers, deals, rounds, seconds, starts, results, written }
  save(options.json, JSON.stringify(result, null, 2))
  save(options.svg, barChart(results))
}
