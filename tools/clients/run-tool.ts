import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/**
 * Runs a program of an installed package, in a process of its own while the service answers; its whole output if it
 * fails.
 */
export async function runTool(tool: string, ...args: readonly string[]): Promise<void> {
  const { status, output } = await outputOf(join(here, 'node_modules/.bin', tool), args)
  if (status !== 0) throw new Error(`${tool} ${args.join(' ')}\n${output}`)
}

/** What the compiler says, a text for each fault. */
export async function compile(): Promise<readonly string[]> {
  const { status, output } = await outputOf(join(here, 'node_modules/.bin/tsc'), [
    '--project',
    here,
    '--pretty',
    'false',
  ])
  if (status === 0) return []
  // What explains a fault follows it, indented.
  return output.split(/\n(?!\s)/).filter((text) => text !== '')
}

/** Node takes no imports without endings, which people leave to their bundlers. */
export const bundle = (entry: string, outfile: string): Promise<void> =>
  runTool('esbuild', entry, '--bundle', '--format=esm', '--platform=node', `--outfile=${outfile}`, '--log-level=error')

/** Fails where something is imported that browsers do not have. */
export const bundleForBrowsers = (entry: string, outfile: string): Promise<void> =>
  runTool(
    'esbuild',
    entry,
    '--bundle',
    '--format=esm',
    '--platform=browser',
    `--outfile=${outfile}`,
    '--log-level=error',
  )

/** Runs a program of ours. */
export async function runProgram(path: string): Promise<void> {
  const { status, output } = await outputOf(path, [])
  if (status !== 0) throw new Error(`${path}\n${output}`)
}

async function outputOf(script: string, args: readonly string[]): Promise<{ status: number; output: string }> {
  if (!existsSync(script)) throw new Error(`${script} is not there: npm ci --prefix tools/clients --ignore-scripts`)
  const child = spawn(
    script.endsWith('esbuild') ? script : process.execPath,
    script.endsWith('esbuild') ? args : [script, ...args],
    { cwd: here, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece))
  const [status] = await once(child, 'close')
  return { status: Number(status ?? 1), output: Buffer.concat(pieces).toString() }
}
