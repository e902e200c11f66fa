import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isPostgres } from '../../../src/values/database-address.ts'
import { copyReady } from '../database/ready-schema.ts'
import { runHosted } from './hosted-command.ts'
import { unhurried } from './unhurried.ts'

const main = join(import.meta.dirname, '../../../src/start.js')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own, the command line over a database in it, and what the database holds. */
export interface Desk {
  readonly folder: string
  readonly database: string
  path(name: string): string
  write(name: string, content: string | Uint8Array): string
  /** Runs a command to its end, in a process that runs all of them. */
  run(args: readonly string[]): Promise<Ended>
  /** Runs a command to its end as a process of its own, with its standard input. */
  runAlone(args: readonly string[], input?: string | Uint8Array): Promise<Ended>
  start(args: readonly string[]): Started
  /** The rows of a query, looked up past the service. */
  rows(sql: string): readonly { readonly [column: string]: unknown }[]
  /** The documents of all customers. */
  customers(): readonly Shown[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface Shown {
  readonly id: number
  readonly name: string
  readonly [field: string]: unknown
}

export interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  /** The first match in what it wrote. */
  said(pattern: RegExp): Promise<RegExpMatchArray>
}

export function openDesk(settings: { readonly [name: string]: string } = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-cli-'))
  const database = settings.DATABASE_URL ?? join(folder, 'dealdesk.db')
  const running = new Set<ChildProcess>()
  const path = (name: string): string => join(folder, name)

  const own = { PORT: '0', LOG_LEVEL: 'warn', DATABASE_URL: database, NODE_OPTIONS: '' }
  const environment = () => ({ ...process.env, ...unhurried, ...own, ...settings })

  const start = (args: readonly string[]): Started => {
    const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: environment() })
    running.add(child)
    let stdout = ''
    let stderr = ''
    const watchers = new Set<() => void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      for (const watch of watchers) watch()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      for (const watch of watchers) watch()
    })
    const ended = once(child, 'close').then(([code]): Ended => {
      running.delete(child)
      return { code: code as number | null, stdout, stderr }
    })
    const said = (pattern: RegExp): Promise<RegExpMatchArray> =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const match = pattern.exec(stdout + stderr)
          if (match !== null) resolve(match)
        }
        watchers.add(watch)
        watch()
        void ended.then(() => reject(new Error(`ended without ${pattern}: ${stdout}${stderr}`)))
      })
    return { process: child, ended, said }
  }

  const rows: Desk['rows'] = (sql) => {
    const db = new DatabaseSync(database, { readOnly: true, timeout: 5000 })
    try {
      return db.prepare(sql).all()
    } finally {
      db.close()
    }
  }

  return {
    folder,
    database,
    path,
    start,
    rows,
    write(name, content) {
      writeFileSync(path(name), content)
      return path(name)
    },
    run: (args) => runHosted({ args, environment: environment(), folder }),
    async runAlone(args, input) {
      const started = start(args)
      started.process.stdin?.on('error', () => {})
      started.process.stdin?.end(input)
      return started.ended
    },
    customers: () => rows('SELECT doc FROM customers ORDER BY id').map(({ doc }) => JSON.parse(String(doc)) as Shown),
    async [Symbol.asyncDispose]() {
      for (const child of running) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same with a database that has tables and no rows. */
export const openReadyDesk = (): Desk => withTables(openDesk())

/** Makes the database of a desk, if there is none; on PostgreSQL a command makes the tables. */
export function withTables(desk: Desk): Desk {
  if (!isPostgres(desk.database) && !existsSync(desk.database)) copyReady(desk.database)
  return desk
}

export const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`
