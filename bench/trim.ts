import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { openMaintenance } from '../src/store/open.ts'
import { linkEvents } from '../src/store/sqlite/schema/event-links.ts'
import { thisMachine } from './machine.ts'
import { startServer } from './server.ts'

// A year of events is trimmed to its last month beside a service that answers 500 requests a second.
// `npm run bench -- trim 10000000` says how many events there are.

const events = Number(process.argv[2] ?? 1_000_000)
const OF_EACH = 20
const PER_SECOND = 500
const BEFORE = 5
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-trim-'))
const database = join(folder, 'dealdesk.db')
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const count = (number: number): string => Math.round(number).toLocaleString('en')

try {
  const { processor, cores, node, sqlite, commit } = thisMachine(new Date())
  process.stdout.write(`${processor}, ${cores} cores, Node ${node}, SQLite ${sqlite}, ${commit}\n`)
  await fill()
  const server = await startServer('service', { database })
  const deal = JSON.parse(await send(server.port, 'POST', '/rest/v1/deals/', { name: 'Roof', price: 1 })).id as string
  let isOver = false
  const quiet: number[] = []
  const beside: number[] = []
  let times = quiet
  const asking = ask(
    server.port,
    deal,
    () => isOver,
    (time) => times.push(time),
  )
  await new Promise((resolve) => setTimeout(resolve, BEFORE * 1000))
  times = beside
  const begun = performance.now()
  const said = await purge()
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  await asking
  await server.stop()
  process.stdout.write(`${said}${seconds.toFixed(1)} s, ${count(events / seconds)} events/s looked at\n`)
  process.stdout.write(`before: ${shown(quiet)}\nbeside: ${shown(beside)}\n`)
  tellSize()
} finally {
  rmSync(folder, { recursive: true })
}

/** The events of deals over a year, a twentieth of each, in their order in time. */
async function fill(): Promise<void> {
  await openMaintenance({ databaseUrl: database }, { mustExist: false })
  const db = new DatabaseSync(database)
  db.exec('PRAGMA synchronous = OFF')
  const deals = Math.ceil(events / OF_EACH)
  db.exec(`INSERT INTO events
    (resource, subject, revision, type, operation, action, actor, form, command_id, at, params, doc)
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${events - 1})
    SELECT 'deal', printf('%08x-0000-7000-8000-000000000000', n % ${deals}), 1 + n / ${deals}, 'deal.note-added',
      'add-note', 'AddDealNote', 'ann', 'verb', NULL,
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (31536000.0 * (1 - n * 1.0 / ${events})) || ' seconds'),
      '{"text":"a note"}',
      '{"id":"' || n || '","pad":"' || hex(zeroblob(300)) || '"}' FROM numbers`)
  linkEvents(db, buildSchema())
  db.close()
  process.stdout.write(`${count(events)} events of ${count(deals)} deals, ${count(statSync(database).size / 1e6)} MB\n`)
}

async function purge(): Promise<string> {
  const main = join(import.meta.dirname, '../src/start.js')
  const env = { ...process.env, DATABASE_URL: database, KEEP_EVENTS: '30d' }
  const child = spawn(process.execPath, [main, 'purge'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`purge ended with ${code}`)
  return said
}

/** Half reads and half payments, at their times whether or not the ones before are answered. */
async function ask(port: number, deal: string, isOver: () => boolean, took: (time: number) => void): Promise<void> {
  const waiting = new Set<Promise<void>>()
  const begun = performance.now()
  for (let n = 0; !isOver(); n++) {
    const due = begun + (n * 1000) / PER_SECOND
    const early = due - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    const path = `/rest/v1/deals/${deal}`
    const asked = n % 2 ? send(port, 'GET', path) : send(port, 'PUT', `${path}/record-payment`, { amount: 1 })
    const one = asked.then(() => {
      took(performance.now() - due)
      waiting.delete(one)
    })
    waiting.add(one)
  }
  await Promise.all(waiting)
}

function send(port: number, method: string, path: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => {
        text += String(chunk)
      })
      reply.on('end', () =>
        (reply.statusCode ?? 0) < 300 ? resolve(text) : reject(new Error(`${method} ${path}: ${text}`)),
      )
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function shown(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`
  return `${count(sorted.length)} requests, median ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(0.99999)}`
}

function tellSize(): void {
  const db = new DatabaseSync(database)
  const one = (name: string): number => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  const [pages, free, size] = [one('page_count'), one('freelist_count'), one('page_size')]
  process.stdout.write(`${count((pages * size) / 1e6)} MB, of which ${count((free * size) / 1e6)} MB are free again\n`)
  db.close()
}
