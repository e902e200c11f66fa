import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Bench, withBench } from './bench.ts'
import { type Options, readOptions, usage } from './bench-options.ts'
import { runCommits } from './run-commits.ts'
import { runDealGrowth } from './run-deal-growth.ts'
import { runGrowth } from './run-growth.ts'
import { runPairs } from './run-pairs.ts'
import { runPostgres } from './run-postgres.ts'
import { runProfile } from './run-profile.ts'
import { runStartUp } from './run-start-up.ts'
import { runTable } from './run-table.ts'
import { runWritten } from './run-written.ts'

const runs: Readonly<Record<Options['mode'], (bench: Bench) => Promise<void>>> = {
  table: runTable,
  growth: runGrowth,
  'deal-growth': runDealGrowth,
  commits: runCommits,
  postgres: runPostgres,
  pairs: runPairs,
  profile: runProfile,
  'start-up': runStartUp,
  written: runWritten,
}

/** Those of one thing alone, each in a file of its name. */
const apart = ['dearest', 'desk', 'import', 'own', 'pages', 'reports', 'search', 'trim', 'unset', 'webhooks']

const [name = '', ...more] = process.argv.slice(2)
if (apart.includes(name)) {
  const file = join(import.meta.dirname, `${name}.ts`)
  process.exitCode = spawnSync(process.execPath, [file, ...more], { stdio: 'inherit' }).status ?? 1
} else {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') process.stdout.write(`${usage}\n`)
  else await withBench(options, runs[options.mode])
}
