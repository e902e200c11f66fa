import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { writtenBy } from './cost.ts'
import { type DataSet, databaseFor, dataSetOf } from './data-set.ts'
import { postgresCopy, postgresCopyBy, startBenchPostgres, walBytes, withDatabaseCpu } from './postgres-data.ts'
import { type Server, type ServerName, startServer } from './server.ts'
import { ratio, textTable, whole } from './table.ts'
import { walCounts } from './wal-counts.ts'
import { type Workload, workloadNamed } from './workloads.ts'

const CHANGES = ['W16', 'W17']
/** How many changes are sent at once, to be committed together. */
const AT_ONCE = 24
const WAVES = 200
const WARM_UP_WAVES = 40
/** What is counted are bytes: a busy machine is no reason to refuse a change. */
const UNHURRIED = { MAX_LOOP_DELAY: '60000' }
/** Further data does not change what a change writes, but how long the copies take. */
const MOST = 20_000

/** What one change makes a server write. */
export interface Written {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly workload: string
  readonly server: ServerName
  /** SQLite: given to write calls less what went to sockets, write-backs included. PostgreSQL: of its log. */
  readonly bytes: number
  /** In microseconds, of the database too. */
  readonly cpu: number
  readonly changesPerCommit?: number
}

export async function runWritten(bench: Bench): Promise<void> {
  const written = await measureWritten(bench)
  bench.print(writtenTable(written))
  bench.save(bench.options.json, JSON.stringify({ machine: bench.machine, written }, null, 2))
}

/** On both stores, beside the ceilings and, where it was asked for, the service of another checkout. */
export async function measureWritten(bench: Bench): Promise<readonly Written[]> {
  const { options, data, tell } = bench
  const size = { customers: Math.min(MOST, options.size.customers), deals: Math.min(MOST, options.size.deals) }
  const chosen = CHANGES.filter((name) => options.only.includes(name)).map(workloadNamed)
  if (chosen.length === 0) return []
  const { beside: checkout } = options
  const sets: Sets = {
    own: data(size),
    ...(checkout !== undefined && { beside: { checkout, set: dataSetOf(checkout, size, tell) } }),
  }
  return [...(await onSqlite(bench, chosen, sets)), ...(await onPostgres(bench, chosen, sets))]
}

interface Sets {
  readonly own: DataSet
  readonly beside?: { readonly checkout: string; readonly set: DataSet }
}

async function onSqlite(bench: Bench, chosen: readonly Workload[], { own, beside }: Sets): Promise<readonly Written[]> {
  const all: Written[] = []
  for (const workload of chosen) {
    const folder = mkdtempSync(join(bench.scratch, 'written-'))
    const measure = async (name: ServerName, set: DataSet, checkout?: string): Promise<void> => {
      const database = databaseFor(name, set, folder)
      const server = await startServer(name, { database, checkout, environment: UNHURRIED })
      let writtenBack = 0
      const counters: Counters = {
        async written() {
          await quiet(server)
          // What is still in the log is written back by us: it belongs to the changes that put it there.
          writtenBack += checkpointed(database)
          return (await server.cost()).written + writtenBack
        },
        commits: () => walCounts(database).commits,
      }
      const { bytes, sent, ...rest } = await measureWaves(bench, workload, server, set, counters)
      all.push({ store: 'SQLite', ...rest, bytes: bytes - sent })
    }
    for (const name of ['service', ...workload.ceilings] as const) if (name !== 'static') await measure(name, own)
    if (beside !== undefined) await measure('beside', beside.set, beside.checkout)
  }
  return all
}

/** Waits until what follows the commits is done too. */
async function quiet(server: Server): Promise<void> {
  let before = -1
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const { written } = await server.cost()
    // A wake-up of a thread is a few bytes.
    if (written - before < A_PAGE && before !== -1) return
    before = written
    await setTimeout(A_WHILE)
  }
}

const MOST_TURNS = 20
const A_WHILE = 1000
const A_PAGE = 4096

function checkpointed(database: string): number {
  const before = writtenBy('self')
  using db = new DatabaseSync(database, { timeout: 5000 })
  db.exec('PRAGMA wal_checkpoint(FULL)')
  return writtenBy('self') - before
}

async function onPostgres(
  bench: Bench,
  chosen: readonly Workload[],
  { own, beside }: Sets,
): Promise<readonly Written[]> {
  bench.tell('copying the data set to PostgreSQL …')
  const postgres = await startBenchPostgres()
  try {
    const all: Written[] = []
    const database = await postgresCopy(postgres, 'measured', own)
    const other = beside && (await postgresCopyBy(beside.checkout, postgres, 'beside', beside.set))
    for (const workload of chosen) {
      const measure = async (name: ServerName, url: string, set: DataSet, checkout?: string): Promise<void> => {
        const server = withDatabaseCpu(
          await startServer(name, { database: url, checkout, environment: UNHURRIED }),
          postgres,
        )
        const counters = { written: () => walBytes(postgres) }
        const { sent: _, ...rest } = await measureWaves(bench, workload, server, set, counters)
        all.push({ store: 'PostgreSQL', ...rest })
      }
      for (const name of ['service', 'batched', 'pg'] as const) await measure(name, database, own)
      if (beside !== undefined && other !== undefined) await measure('beside', other, beside.set, beside.checkout)
    }
    return all
  } finally {
    await postgres.remove()
  }
}

interface Counters {
  /** Bytes so far, when the server has nothing left to write. */
  written(): Promise<number>
  commits?(): number
}

/** Sends changes in waves to a server, which ends then; the bytes are those of one change, as are those that it sent. */
async function measureWaves(
  { generator, tell }: Bench,
  { name, title }: Workload,
  server: Server,
  set: DataSet,
  { written, commits }: Counters,
): Promise<Omit<Written, 'store'> & { readonly sent: number }> {
  tell(`bytes of ${name}, ${server.name} …`)
  const aim = { port: server.port, workload: name, data: set, connections: AT_ONCE }
  await generator.prepare({ ...aim, seed: 1 })
  await generator.run({ waves: WARM_UP_WAVES })
  const before = { written: await written(), commits: commits?.() ?? 0, cpu: (await server.cost()).cpu }
  await generator.prepare({ ...aim, seed: 2 })
  const { requests, received, failures } = await generator.run({ waves: WAVES })
  if (failures > 0) throw new Error(`${server.name} refused ${failures} changes of ${name}`)
  const cpu = (await server.cost()).cpu - before.cpu
  const bytes = (await written()) - before.written
  const committed = commits && commits() - before.commits
  await server.stop()
  // The preparation makes a change too.
  const changes = requests + 1
  return {
    workload: `${name} ${title}`,
    server: server.name,
    bytes: bytes / changes,
    sent: received / changes,
    cpu: cpu / changes,
    ...(committed !== undefined && { changesPerCommit: changes / committed }),
  }
}

export function writtenTable(written: readonly Written[]): string {
  const head = [
    'bytes written per change',
    'store',
    'server',
    'bytes',
    'CPU µs',
    'changes/commit',
    'bytes to it',
    'CPU to it',
  ]
  const rows = written.map(({ store, workload, server, bytes, cpu, changesPerCommit }) => {
    const service = written.find((each) => each.store === store && each.workload === workload)
    const isService = server === 'service' || service === undefined
    return [
      isService ? workload : '',
      isService ? store : '',
      server,
      whole(bytes),
      whole(cpu),
      changesPerCommit?.toFixed(1) ?? '',
      isService ? '' : ratio(service.bytes, bytes),
      isService ? '' : ratio(service.cpu, cpu),
    ]
  })
  return textTable([head, ...rows], 3)
}
