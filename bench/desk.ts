import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMaintenance } from '../src/store/open.ts'
import { writeCustomers } from './customers-file.ts'
import { addDeals } from './data-set.ts'
import { thisMachine } from './machine.ts'
import { picking } from './picking.ts'
import { startServer } from './server.ts'

// What people wait for: pickers over a million customers, letter by letter, and the board with 10,000 deals; one
// request after another, as a person asks, and four at once. `npm run bench -- desk 200000` has fewer customers, and a
// second argument names a database to read instead.

const customers = Number(process.argv[2] ?? 1_000_000)
const DEALS = 10_000
const ROUNDS = 20
/** What people type: names of many and of one, with a number, parts of addresses, and somebody who is not there. */
const typed = [
  'dilek dvorak 97',
  'goran gupta',
  'anna.costa.12',
  'jun ito 5012',
  'hana.ito.3@example.com',
  'costa jun 44',
  'example.com eriksen',
  'dilek qqxxzz',
]

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-desk-'))
const database = join(folder, 'dealdesk.db')
const { processor, cores, node, sqlite, commit } = thisMachine(new Date())
process.stdout.write(`${processor}, ${cores} cores, Node ${node}, SQLite ${sqlite}, ${commit}\n`)
try {
  await fill(process.argv[3])
  await measure()
} finally {
  rmSync(folder, { recursive: true })
}

async function fill(from: string | undefined): Promise<void> {
  if (from !== undefined) return copyFileSync(from, database)
  const file = join(folder, 'customers.csv')
  await writeCustomers(file, customers)
  await openMaintenance({ databaseUrl: database }, { mustExist: false })
  const main = join(import.meta.dirname, '../src/start.js')
  const env = { ...process.env, DATABASE_URL: database }
  const { status } = spawnSync(process.execPath, [main, 'import', 'customers', file], { env, stdio: 'ignore' })
  if (status !== 0) throw new Error(`the import ended with ${status}`)
  addDeals(database, { customers, deals: DEALS })
}

async function measure(): Promise<void> {
  const server = await startServer('service', { database })
  const agent = new Agent({ keepAlive: true })
  const letters = typed.flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)))
  const asked = {
    'pickers, each letter': letters.map((text) => ({ path: picking(text), accept: 'application/json' })),
    'the search box': letters.map((text) => ({
      path: `/search?q=${encodeURIComponent(text)}`,
      accept: 'application/json',
    })),
    'the board': Array(letters.length).fill({ path: '/board', accept: 'text/html' }),
  }
  for (const [what, requests] of Object.entries(asked)) {
    for (const request of requests.slice(0, 20)) await read(agent, server.port, request)
    for (const together of [1, 4]) {
      const times = await timesOf(requests, together, (request) => read(agent, server.port, request))
      tell(`${what}, ${together} at once`, times)
    }
  }
  agent.destroy()
  await server.stop()
}

interface Asked {
  readonly path: string
  readonly accept: string
}

interface Time {
  readonly path: string
  readonly took: number
}

async function timesOf(
  requests: readonly Asked[],
  together: number,
  ask: (request: Asked) => Promise<void>,
): Promise<readonly Time[]> {
  const times: Time[] = []
  const all = Array.from({ length: ROUNDS }, () => requests).flat()
  let next = 0
  const person = async (): Promise<void> => {
    for (let request = all[next++]; request !== undefined; request = all[next++]) {
      const begun = performance.now()
      await ask(request)
      times.push({ path: request.path, took: performance.now() - begun })
    }
  }
  await Promise.all(Array.from({ length: together }, person))
  return times
}

function tell(what: string, times: readonly Time[]): void {
  const sorted = times.toSorted((one, other) => one.took - other.took)
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)]?.took ?? 0).toFixed(1)
  process.stdout.write(
    `${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${sorted.at(-1)?.path})\n`,
  )
}

function read(agent: Agent, port: number, { path, accept }: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path, headers: { accept } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}
