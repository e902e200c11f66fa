import type { Bench } from './bench.ts'
import { databaseFor, dataSetOf } from './data-set.ts'
import { median, takeRound, WARM_UP } from './measure.ts'
import { postgresCopy, postgresCopyBy, startBenchPostgres, withDatabaseCpu } from './postgres-data.ts'
import { type Server, startServer } from './server.ts'
import { measureStartUps, type StartUp } from './start-up.ts'
import { startUpTable, textTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

interface Pairs {
  readonly store: Sides['store']
  readonly name: string
  readonly title: string
  /** Of the service and of the one beside it, in microseconds of processor time per request or row; the medians. */
  readonly cpu: number
  readonly beside: number
  /** What the service takes of the time of the one beside it, pair by pair, from the least on. */
  readonly ratios: readonly number[]
  /** The same of the cheapest round of each, which what else the machine does has met least. */
  readonly least: number
}

/** A store, and a server of each side on its own copy of the data. */
interface Sides {
  readonly store: 'SQLite' | 'PostgreSQL'
  start(at: 0 | 1): Promise<Server>
}

const sides = ['service', 'beside'] as const
/** A page of PostgreSQL is the same bytes in the same steps: of the pages for people some are enough. */
const ON_POSTGRES = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W12', 'W15', 'W16', 'W17']

/** The service and that of another checkout, round by round in turn, on each store. */
export async function runPairs(bench: Bench): Promise<void> {
  const { options, scratch, data, tell, print, save, machine } = bench
  const { beside: checkout = '', rounds, seconds, startups, stores } = options
  const besides = (at: 0 | 1) => at === 1 && { checkout }
  const sets = [data(), dataSetOf(checkout, options.size, tell)] as const
  const results: Pairs[] = []
  let starts: readonly StartUp[] = []
  if (stores.includes('sqlite')) {
    const databases = sides.map((name, at) => databaseFor(name, sets[at] ?? sets[0], scratch))
    const start = (at: 0 | 1) => startServer(sides[at], { database: databases[at] ?? '', ...besides(at) })
    if (startups > 0) {
      tell('start-up …')
      starts = await measureStartUps(sides, startups, (name) => start(name === 'beside' ? 1 : 0))
    }
    results.push(...(await pairsOf({ store: 'SQLite', start }, options.only, sets, bench)))
  }
  if (stores.includes('postgres')) {
    const postgres = await startBenchPostgres()
    try {
      tell('copying the data sets to PostgreSQL …')
      const databases = [
        await postgresCopy(postgres, 'measured', sets[0]),
        await postgresCopyBy(checkout, postgres, 'beside', sets[1]),
      ]
      const start = async (at: 0 | 1) =>
        withDatabaseCpu(await startServer(sides[at], { database: databases[at] ?? '', ...besides(at) }), postgres)
      const names = options.only.filter((name) => ON_POSTGRES.includes(name))
      results.push(...(await pairsOf({ store: 'PostgreSQL', start }, names, sets, bench)))
    } finally {
      await postgres.remove()
    }
  }
  print(pairsTable(results))
  if (starts.length > 0) print(`\n${startUpTable(starts)}`)
  save(options.json, JSON.stringify({ machine, rounds, seconds, starts, results }, null, 2))
}

async function pairsOf(
  { store, start }: Sides,
  names: readonly string[],
  sets: readonly [ReturnType<Bench['data']>, ReturnType<Bench['data']>],
  { options: { rounds, seconds }, generator, tell }: Bench,
): Promise<readonly Pairs[]> {
  const results: Pairs[] = []
  for (const workload of names.map(workloadNamed)) {
    tell(`${store} ${workload.name} ${workload.title} …`)
    const own = await start(0)
    const other = await start(1)
    const cpuOf = async (server: Server, seed: number, time: number): Promise<number> => {
      const aim = { port: server.port, workload: workload.name, data: sets[server === own ? 0 : 1], seed }
      return (await takeRound(server, aim, generator, time)).cpu
    }
    for (const server of [own, other]) await cpuOf(server, 0, WARM_UP * seconds)
    const pairs: (readonly [number, number])[] = []
    for (let seed = 1; seed <= rounds; seed++) {
      // Each goes first every other time.
      const turns = seed % 2 === 0 ? [own, other] : [other, own]
      const spent = new Map<Server, number>()
      for (const server of turns) spent.set(server, await cpuOf(server, seed, seconds))
      pairs.push([spent.get(own) ?? 0, spent.get(other) ?? 0])
    }
    const [ours, theirs] = [pairs.map(([cpu]) => cpu), pairs.map(([, cpu]) => cpu)]
    results.push({
      store,
      name: workload.name,
      title: workload.title,
      cpu: median(ours),
      beside: median(theirs),
      ratios: pairs.map(([cpu, than]) => cpu / than).toSorted((a, b) => a - b),
      least: Math.min(...ours) / Math.min(...theirs),
    })
    for (const server of [own, other]) await server.stop()
  }
  return results
}

const pairsTable = (results: readonly Pairs[]): string =>
  textTable(
    [
      ['store', 'workload', 'CPU µs', 'beside', 'ratio', 'interval', 'least'],
      ...results.map(({ store, name, title, cpu, beside, ratios, least }) => [
        store,
        `${name} ${title}`,
        cpu.toFixed(1),
        beside.toFixed(1),
        median(ratios).toFixed(3),
        intervalOf(ratios)
          .map((ratio) => ratio.toFixed(3))
          .join(' to '),
        least.toFixed(3),
      ]),
    ],
    2,
  )

/** Where the median of the ratios is, 99 times of a hundred with eleven pairs: all but the least and the greatest. */
const intervalOf = (ratios: readonly number[]): readonly number[] =>
  [ratios[1], ratios.at(-2)].map((ratio) => ratio ?? Number.NaN)
