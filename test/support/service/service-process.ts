import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closedWithTest } from './closed-with-test.ts'
import { unhurried } from './unhurried.ts'

const main = fileURLToPath(new URL('../../../src/start.js', import.meta.url))

/** The service as an operator runs it: a process of its own, told what to do by its environment. */
export interface ServiceProcess {
  readonly process: ChildProcess
  /** The address in the ready line; rejects when the process ends before it. */
  readonly ready: Promise<string>
  /** Resolves when the process has ended and all that it wrote was read. */
  readonly ended: Promise<Ended>
  /** What it has written to standard error so far. */
  told(): string
}

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

interface Bounds {
  /** In bytes, a multiple of 512: no file that the service writes may be larger. */
  readonly largestFile?: number
  /** Where it runs. */
  readonly cwd?: string
}

export function spawnService(environment: Environment, { largestFile, cwd }: Bounds = {}): ServiceProcess {
  const bounded = ['-c', `ulimit -f ${(largestFile ?? 0) / 512}; exec "$0" "$1"`, process.execPath, main]
  const [program, args] = largestFile === undefined ? [process.execPath, [main]] : ['/bin/sh', bounded]
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited(), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...unhurried, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test run that is broken off leaves no service behind.
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  let stdout = ''
  let stderr = ''
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
      const url = /^Dealdesk is ready at (\S+)[^\n]*\n/.exec(stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('close', () => reject(new Error(`the service ended before it was ready: ${stderr}`)))
  })
  // Who does not ask whether it became ready need not hear that it did not.
  ready.catch(() => {})
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, stdout, stderr }))
  closedWithTest(() => {
    kill()
    return ended
  })
  return { process: child, ready, ended, told: () => stderr }
}

/** Nothing of the tester's own settings; what Node needs to run, and its cache of compiled code. */
export function inherited(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = tmpdir(), NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}

/** A folder that goes with the test. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `dealdesk-${name}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
