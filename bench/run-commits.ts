import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { copyOf } from './data-set.ts'
import { takeRound } from './measure.ts'
import { type Server, type ServerName, startServer } from './server.ts'
import { textTable, whole } from './table.ts'
import { syncsOf, walCounts } from './wal-counts.ts'

const clients = [1, 16, 64, 256]
const SLOW_SYNC_MS = 2

interface Commits {
  readonly server: ServerName
  readonly clients: number
  /** What each commit takes longer than on this machine's disk. */
  readonly delay: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly commitsPerWrite: number
  readonly syncsPerWrite: number
  readonly cpu: number
}

/** How many writes share a commit, and what a slower disk makes of it. */
export async function runCommits(bench: Bench): Promise<void> {
  const { options, machine, scratch, data, tell, print, save } = bench
  const commits: Commits[] = []
  for (const delay of [0, SLOW_SYNC_MS]) {
    for (const name of ['service', 'bare'] as const) {
      const database = copyOf(data(), join(scratch, `${name}-${delay}.db`))
      const slow = new URL('./slow-commit.ts', import.meta.url).href
      const server = await startServer(name, {
        database,
        ...(delay > 0 && { options: ['--import', slow], environment: { COMMIT_DELAY_MS: String(delay) } }),
      })
      for (const count of clients) {
        tell(`${name}, ${count} clients, ${delay} ms …`)
        commits.push(await measureCommits(bench, server, database, count, delay))
      }
      await server.stop()
    }
  }
  print(commitsTable(commits))
  print(
    `\nWith "+${SLOW_SYNC_MS} ms" every COMMIT was made ${SLOW_SYNC_MS} ms longer in the server (simulated, not computed).`,
  )
  print(
    'Commits are counted in the database; syncs are those commits and the ones of the log’s restarts, as SQLite does.',
  )
  save(options.json, JSON.stringify({ machine, commits }, null, 2))
}

async function measureCommits(
  { options, generator, data }: Bench,
  server: Server,
  database: string,
  count: number,
  delay: number,
): Promise<Commits> {
  const aim = { port: server.port, workload: 'W6', data: data(), seed: count, connections: count }
  await takeRound(server, aim, generator, options.seconds / 2)
  const before = walCounts(database)
  const { load, cpu } = await takeRound(server, aim, generator, options.seconds)
  const after = walCounts(database)
  return {
    server: server.name,
    clients: count,
    delay,
    perSecond: load.requests / load.seconds,
    p50: load.all?.p50 ?? 0,
    p99: load.all?.p99 ?? 0,
    commitsPerWrite: (after.commits - before.commits) / load.requests,
    syncsPerWrite: syncsOf(before, after) / load.requests,
    cpu,
  }
}

function commitsTable(commits: readonly Commits[]): string {
  const head = ['commit', 'server', 'clients', 'writes/s', 'p50 ms', 'p99 ms', 'CPU µs', 'commits/write', 'syncs/write']
  const rows = commits.map((each) => [
    each.delay === 0 ? 'this disk' : `+${each.delay} ms`,
    each.server,
    String(each.clients),
    whole(each.perSecond),
    each.p50.toFixed(2),
    each.p99.toFixed(2),
    whole(each.cpu),
    each.commitsPerWrite.toFixed(3),
    each.syncsPerWrite.toFixed(3),
  ])
  return textTable([head, ...rows])
}
