import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { barChart } from './chart.ts'
import { copyOf, plainCopyOf } from './data-set.ts'
import { measure, type WorkloadResult } from './measure.ts'
import { startServer } from './server.ts'
import { measureStartUp } from './start-up.ts'
import { resultTable, startUpTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

/** The main table: every workload on the service and, in the same run, on its ceilings. */
export async function runTable({
  options,
  machine,
  generator,
  scratch,
  data,
  tell,
  print,
  save,
}: Bench): Promise<void> {
  const set = data()
  const chosen = options.only.map(workloadNamed)
  const names = ['service', 'bare', 'express', 'static'] as const
  const databases = {
    service: copyOf(set, join(scratch, 'service.db')),
    bare: plainCopyOf(set, join(scratch, 'bare.db')),
    express: plainCopyOf(set, join(scratch, 'express.db')),
    static: '',
  }

  tell('start-up …')
  const starts = []
  if (options.startups > 0) {
    for (const name of ['service', 'bare'] as const)
      starts.push(await measureStartUp(name, options.startups, () => startServer(name, { database: databases[name] })))
  }
  const results: WorkloadResult[] = []
  for (const workload of chosen) {
    tell(`${workload.name} ${workload.title} …`)
    // Processes of its own: what a workload leaves in memory is not the next one's.
    const beside = names.filter((name) => name === 'service' || workload.ceilings.includes(name))
    const servers = await Promise.all(beside.map((name) => startServer(name, { database: databases[name] })))
    results.push(await measure(workload, servers, set, generator, options))
    for (const server of servers) await server.stop()
  }

  const { customers, deals } = set
  const { rounds, seconds } = options
  print(resultTable(results))
  if (starts.length > 0) print(`\n${startUpTable(starts)}`)
  save(options.json, JSON.stringify({ machine, customers, deals, rounds, seconds, starts, results }, null, 2))
  save(options.svg, barChart(results))
}
