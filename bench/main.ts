import { type Bench, withBench } from './bench.ts'
import { type Options, readOptions, usage } from './bench-options.ts'
import { runTable } from './run-table.ts'

const runs: Partial<Record<Options['mode'], (bench: Bench) => Promise<void>>> = {
  table: runTable,
}

const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(`${usage}\n`)
else await withBench(options, runs[options.mode] ?? runTable)
