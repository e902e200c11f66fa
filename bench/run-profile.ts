import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { copyOf } from './data-set.ts'
import { takeRound, WARM_UP } from './measure.ts'
import { monotonic, type SelfTime, selfTimes } from './profile.ts'
import { startServer } from './server.ts'
import { textTable } from './table.ts'

const SHOWN = 30

/** Where the service spends its time: the functions with the most time of their own, thread by thread. */
export async function runProfile({ options, generator, scratch, data, print, save, machine }: Bench): Promise<void> {
  const set = data()
  for (const workload of options.only) {
    const folder = join(scratch, workload)
    const server = await startServer('service', {
      database: copyOf(set, join(scratch, `${workload}.db`)),
      options: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    })
    const aim = { port: server.port, workload, data: set, seed: 1 }
    await takeRound(server, aim, generator, WARM_UP * options.seconds)
    const from = monotonic()
    const { load, cpu } = await takeRound(server, aim, generator, options.rounds * options.seconds)
    const to = monotonic()
    await server.stop()
    const files = readdirSync(folder).sort()
    const threads = files.map((file) => selfTimes(readFileSync(join(folder, file), 'utf8'), from, to))
    print(`${workload}: ${load.units} done at ${cpu.toFixed(1)} µs each, profiling included`)
    for (const [thread, times] of threads.entries()) print(`\nthread ${thread}\n${profileTable(times)}`)
    save(options.json, JSON.stringify({ machine, workload, threads }, null, 2))
  }
}

function profileTable(times: readonly SelfTime[]): string {
  const busy = times.filter(({ name }) => name !== '(idle)' && name !== '(program)' && name !== '(root)')
  const all = times.reduce((sum, { name, milliseconds }) => (name === '(idle)' ? sum : sum + milliseconds), 0)
  const rows = busy
    .slice(0, SHOWN)
    .map(({ name, place, milliseconds }) => [
      name,
      place,
      milliseconds.toFixed(0),
      `${((100 * milliseconds) / all).toFixed(1)} %`,
    ])
  const program = times.find(({ name }) => name === '(program)')?.milliseconds ?? 0
  const native = ['(program)', 'native code', program.toFixed(0), `${((100 * program) / all).toFixed(1)} %`]
  return textTable([['function', 'where', 'self ms', 'of busy'], native, ...rows])
}
