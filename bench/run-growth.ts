import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type Growth, growthChart } from './chart.ts'
import { databaseFor } from './data-set.ts'
import { measure, type WorkloadResult } from './measure.ts'
import { startServer } from './server.ts'
import { ratio, textTable, whole } from './table.ts'
import { growthWorkloads } from './workloads.ts'

const sizes = [
  { customers: 10_000, deals: 1000 },
  { customers: 100_000, deals: 20_000 },
  { customers: 1_000_000, deals: 100_000 },
]

/** What a page costs when there are ten and a hundred times as many customers. */
export async function runGrowth(bench: Bench): Promise<void> {
  const { options, machine, tell, print, save } = bench
  const growth: Growth[] = []
  for (const size of sizes.filter(({ customers }) => customers <= options.size.customers)) {
    tell(`${whole(size.customers)} customers …`)
    growth.push({ customers: size.customers, results: await measureSize(bench, size) })
  }
  print(growthTable(growth))
  save(options.json, JSON.stringify({ machine, growth }, null, 2))
  save(options.svg, growthChart(growth))
}

async function measureSize({ options, generator, scratch, data }: Bench, size: (typeof sizes)[number]) {
  const set = data(size)
  const folder = mkdtempSync(join(scratch, 'size-'))
  const servers = await Promise.all(
    (['service', 'bare'] as const).map((name) => startServer(name, { database: databaseFor(name, set, folder) })),
  )
  const results: WorkloadResult[] = []
  for (const workload of growthWorkloads) results.push(await measure(workload, servers, set, generator, options))
  for (const server of servers) await server.stop()
  return results
}

function growthTable(growth: readonly Growth[]): string {
  const head = ['CPU µs per request', 'server', ...growth.map(({ customers }) => whole(customers))]
  const rows = growthWorkloads.flatMap(({ name, title }) => {
    const cells = (server: string): readonly (number | undefined)[] =>
      growth.map(({ results }) => {
        const result = results.find((each) => each.name === name)
        return result?.measures.find((each) => each.server === server)?.cpu
      })
    const service = cells('service')
    const bare = cells('bare')
    const shown = (cpu: number | undefined): string => (cpu === undefined ? 'not answered' : whole(cpu))
    const ratios = service.map((cpu, at) => (cpu === undefined ? '' : ratio(cpu, bare[at] ?? Number.NaN)))
    return [
      [`${name} ${title}`, 'service', ...service.map(shown)],
      ['', 'bare', ...bare.map(shown)],
      ['', 'ratio', ...ratios],
    ]
  })
  return textTable([head, ...rows])
}
