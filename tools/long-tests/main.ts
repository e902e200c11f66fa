import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type LongRun, runs } from './runs.ts'

const project = join(import.meta.dirname, '../..')

function node(args: readonly string[], sets: LongRun['sets'] = {}): number {
  return (
    spawnSync(process.execPath, args, { cwd: project, env: { ...sets, ...process.env }, stdio: 'inherit' }).status ?? 1
  )
}

function check(tool: string): number {
  const { npm_execpath: npm = '' } = process.env
  return (
    node([npm, 'ci', '--ignore-scripts', '--prefix', join('tools', tool)]) || node([join('tools', tool, 'check.ts')])
  )
}

function run({ sets, tests = [], options = [], tool, times = 1, busy = 0 }: LongRun, more: readonly string[]): number {
  if (tool !== undefined) return check(tool)
  // One file after the other: they load the machine themselves.
  const usual = ['--test-concurrency=1', '--test-force-exit', '--test-reporter=spec']
  const setup = '--test-global-setup=test/global-setup.ts'
  const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  const codes = Array.from({ length: times }, (_, at) => {
    const code = node(['--test', ...usual, setup, ...options, ...more, ...tests], sets)
    if (times > 1) process.stdout.write(`run ${at + 1} of ${times}: ${code === 0 ? 'fine' : 'FAILED'}\n`)
    return code
  })
  for (const loop of loops) loop.kill()
  return Math.max(...codes)
}

const [name = '', ...more] = process.argv.slice(2)
const chosen = Object.hasOwn(runs, name) ? runs[name] : undefined
if (chosen === undefined) {
  const width = Math.max(...Object.keys(runs).map((each) => each.length))
  const told = Object.entries(runs).map(([each, { does }]) => `  ${each.padEnd(width)}  ${does}\n`)
  process.stdout.write(`npm run test:long -- NAME\n${told.join('')}`)
}
process.exitCode = chosen === undefined ? Number(name !== '') : run(chosen, more)
