import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type DataSet, databaseFor } from './data-set.ts'
import { median, takeRound, WARM_UP } from './measure.ts'
import { type Server, startServer } from './server.ts'
import { ratio, textTable, whole } from './table.ts'
import { FEW_HITS, workloadNamed } from './workloads.ts'

/** What must cost the same however many deals there are. */
const COMPARED = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W14', 'W15', 'W18', 'W19']
const TIMES = 10
const HITS = 50

interface Side {
  readonly set: DataSet
  readonly server: Server
}

/** The same workloads with ten times as many deals, round by round in turn. */
export async function runDealGrowth(bench: Bench): Promise<void> {
  const { options, machine, tell, print, save, data } = bench
  const { customers, deals } = options.size
  const small = await startSide(bench, data())
  const large = await startSide(bench, data({ customers, deals: deals * TIMES }))
  const rows: string[][] = []
  const results = []
  for (const name of COMPARED.filter((each) => options.only.includes(each))) {
    const { title } = workloadNamed(name)
    tell(`${name} ${title} …`)
    const pairs = await measurePairs(bench, name, small, large)
    const cpu = [0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0)))
    const growth = median(pairs.map(([few, many]) => many / few))
    results.push({ name, title, cpu, growth })
    rows.push([`${name} ${title}`, ...cpu.map(whole), ratio(growth, 1)])
  }
  for (const { server } of [small, large]) await server.stop()
  const head = ['CPU µs per request, by the number of deals', whole(deals), whole(deals * TIMES), 'ratio']
  print(textTable([head, ...rows], 1))
  save(options.json, JSON.stringify({ machine, customers, deals, results }, null, 2))
}

async function startSide({ scratch }: Bench, set: DataSet): Promise<Side> {
  const database = databaseFor('service', set, mkdtempSync(join(scratch, 'deals-')))
  const server = await startServer('service', { database })
  for (let nth = 0; nth < HITS; nth++) await makeHit(server, nth)
  return { set, server }
}

/** A word that is found as often on either side. */
async function makeHit({ port }: Server, nth: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/rest/v1/deals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: `${FEW_HITS} ${nth}`, price: nth }),
  })
  if (status !== 201) throw new Error(`a deal was answered with ${status}`)
}

async function measurePairs(
  { options, generator }: Bench,
  workload: string,
  small: Side,
  large: Side,
): Promise<readonly (readonly [number, number])[]> {
  const { rounds, seconds } = options
  const cpuOf = async ({ server, set }: Side, seed: number, time: number): Promise<number> =>
    (await takeRound(server, { port: server.port, workload, data: set, seed }, generator, time)).cpu
  for (const side of [small, large]) await cpuOf(side, 0, WARM_UP * seconds)
  const pairs: (readonly [number, number])[] = []
  for (let seed = 1; seed <= rounds; seed++) {
    // Each goes first every other time.
    const first = seed % 2 === 0 ? await cpuOf(small, seed, seconds) : undefined
    const many = await cpuOf(large, seed, seconds)
    pairs.push([first ?? (await cpuOf(small, seed, seconds)), many])
  }
  return pairs
}
