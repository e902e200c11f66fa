import { type Bench, withBench } from './bench.ts'
import { type Options, readOptions, usage } from './bench-options.ts'
import { runCommits } from './run-commits.ts'
import { runGrowth } from './run-growth.ts'
import { runPostgres } from './run-postgres.ts'
import { runProfile } from './run-profile.ts'
import { runTable } from './run-table.ts'

const runs: Readonly<Record<Options['mode'], (bench: Bench) => Promise<void>>> = {
  table: runTable,
  growth: runGrowth,
  commits: runCommits,
  postgres: runPostgres,
  profile: runProfile,
}

const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(`${usage}\n`)
else await withBench(options, runs[options.mode])
