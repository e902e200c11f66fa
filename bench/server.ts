import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Cost, costOf, forgetPeak, preloadForCost } from './cost.ts'

export type Ceiling =
  | 'bare'
  | 'bare, all indexes'
  | 'bare, no index'
  | 'express'
  | 'express, each'
  | 'static'
  | 'pg'
  | 'batched'
export type ServerName = 'service' | 'beside' | Ceiling

/** A server under measurement: a process of its own, on a port of its own. */
export interface Server {
  readonly name: ServerName
  readonly port: number
  /** From the start of the process to its line that it is ready, in milliseconds. */
  readonly readyAfter: number
  cost(): Promise<Cost>
  forgetPeak(): void
  stop(): Promise<void>
}

export interface Start {
  readonly database: string
  /** For Node, before the server's file. */
  readonly options?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The folder of another checkout, whose server it is. */
  readonly checkout?: string | undefined
}

const inRepository = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const BARE = 'bench/ceilings/bare.ts'

const files: Readonly<Record<ServerName, string>> = {
  service: 'src/start.js',
  beside: 'src/start.js',
  bare: BARE,
  'bare, all indexes': BARE,
  'bare, no index': BARE,
  express: 'bench/ceilings/express.ts',
  'express, each': 'bench/ceilings/express.ts',
  static: 'bench/ceilings/static.ts',
  pg: 'bench/ceilings/bare-postgres.ts',
  batched: 'bench/ceilings/bare-postgres.ts',
}

/** What a ceiling is told besides its database. */
const told: { readonly [name in ServerName]?: Readonly<Record<string, string>> } = {
  'express, each': { COMMITS: 'each' },
  batched: { BATCHED: 'yes' },
}

/** The service starts as `npm start` does: the pinned Node and no setting but the port and the database. */
export async function startServer(
  name: ServerName,
  { database, options = [], environment = {}, checkout = inRepository('') }: Start,
): Promise<Server> {
  const begun = performance.now()
  const child = spawn(inRepository('node_modules/.bin/node'), [...preloadForCost, ...options, files[name]], {
    cwd: checkout,
    env: { ...surroundings(), PORT: '0', DATABASE_URL: database, ...told[name], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(preloadForCost.length > 0 ? (['ipc'] as const) : [])],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const port = await readyPort(child, name)
  const readyAfter = performance.now() - begun
  return {
    name,
    port,
    readyAfter,
    cost: () => costOf(child),
    forgetPeak: () => forgetPeak(child),
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function surroundings(): Record<string, string> {
  // What was compiled before need not be compiled by each.
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}

const LAST_WORDS = 4000

async function readyPort(child: ChildProcess, name: ServerName): Promise<number> {
  let errors = ''
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text).slice(-LAST_WORDS)
  })
  if (child.stdout === null) throw new Error('a server without output')
  let port: string | undefined
  for await (const line of createInterface(child.stdout)) {
    port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) break
  }
  if (port === undefined) throw new Error(`${name} did not start:\n${errors}`)
  child.stdout.resume()
  return Number(port)
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
