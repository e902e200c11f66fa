import type { Bench } from './bench.ts'
import { databaseFor, dataSetOf } from './data-set.ts'
import { median, takeRound, WARM_UP } from './measure.ts'
import { type Server, startServer } from './server.ts'
import { measureStartUp } from './start-up.ts'
import { startUpTable, textTable } from './table.ts'
import { workloadNamed } from './workloads.ts'

interface Pairs {
  readonly name: string
  readonly title: string
  /** Of the service and of the one beside it, in microseconds of processor time per request or row; the medians. */
  readonly cpu: number
  readonly beside: number
  /** What the service takes of the time of the one beside it, pair by pair, from the least on. */
  readonly ratios: readonly number[]
}

/** The service and that of another checkout, round by round in turn, each on its own copy of the data. */
export async function runPairs({
  options,
  generator,
  scratch,
  data,
  tell,
  print,
  save,
  machine,
}: Bench): Promise<void> {
  const { beside: checkout = '', rounds, seconds, startups } = options
  const sides = ['service', 'beside'] as const
  const sets = [data(), dataSetOf(checkout, options.size, tell)] as const
  const databases = sides.map((name, at) => databaseFor(name, sets[at] ?? sets[0], scratch))
  const start = (at: 0 | 1): Promise<Server> =>
    startServer(sides[at], { database: databases[at] ?? '', ...(at === 1 && { checkout }) })
  const starts = []
  if (startups > 0) {
    tell('start-up …')
    for (const at of [0, 1] as const) starts.push(await measureStartUp(sides[at], startups, () => start(at)))
  }
  const results: Pairs[] = []
  for (const workload of options.only.map(workloadNamed)) {
    tell(`${workload.name} ${workload.title} …`)
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
    results.push({
      name: workload.name,
      title: workload.title,
      cpu: median(pairs.map(([cpu]) => cpu)),
      beside: median(pairs.map(([, cpu]) => cpu)),
      ratios: pairs.map(([cpu, than]) => cpu / than).toSorted((a, b) => a - b),
    })
    for (const server of [own, other]) await server.stop()
  }
  print(pairsTable(results))
  if (starts.length > 0) print(`\n${startUpTable(starts)}`)
  save(options.json, JSON.stringify({ machine, rounds, seconds, starts, results }, null, 2))
}

const pairsTable = (results: readonly Pairs[]): string =>
  textTable(
    [
      ['workload', 'CPU µs', 'beside', 'ratio', 'interval'],
      ...results.map(({ name, title, cpu, beside, ratios }) => [
        `${name} ${title}`,
        cpu.toFixed(1),
        beside.toFixed(1),
        median(ratios).toFixed(3),
        intervalOf(ratios)
          .map((ratio) => ratio.toFixed(3))
          .join(' to '),
      ]),
    ],
    1,
  )

/** Where the median of the ratios is, 99 times of a hundred with eleven pairs: all but the least and the greatest. */
const intervalOf = (ratios: readonly number[]): readonly number[] =>
  [ratios[1], ratios.at(-2)].map((ratio) => ratio ?? Number.NaN)
