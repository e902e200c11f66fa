import { once } from 'node:events'
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { randomFrom } from '../src/demo/random.ts'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { dataSet } from './data-set.ts'
import type { DrawnRequest } from './drawn-bodies.ts'
import { drawRequest } from './drawn-requests.ts'
import { latencyOf } from './load/latency.ts'
import { thisMachine } from './machine.ts'
import { type Server, startServer } from './server.ts'

// Looks for the dearest requests: draws some of every kind from the declarations, asks each alone over a million
// customers and a hundred thousand deals with long texts, and tells what the dearest cost. Those are asked again.

const usage = `npm run bench -- dearest [options]
  --requests N      how many are drawn (200)
  --seconds N       the time for all of them (300)
  --seed N          which ones are drawn
  --top N           how many are asked again and shown (15)
  --patience N      the seconds for one (30)
  --only TEXT       only those whose name or address has this text
  --database FILE   a database to copy; else one is made in data/bench`

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    requests: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    top: { type: 'string', default: '15' },
    patience: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    database: { type: 'string' },
  },
})

/** What one request cost: times in milliseconds, sizes in bytes. */
interface Dearness {
  readonly drawn: DrawnRequest
  /** 0 for one that was given up. */
  readonly status: number
  readonly took: number
  readonly cpu: number
  readonly bytes: number
  readonly health: { readonly p99: number; readonly most: number }
  /** The most CPU time of the main thread without a pause. */
  readonly held: number
  readonly peak: number
}

async function search(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-dearest-'))
  try {
    const database = join(folder, 'dealdesk.db')
    copyFileSync(values.database ?? made(), database, constants.COPYFILE_FICLONE)
    const server = await startServer('service', {
      database,
      options: ['--import', new URL('./report-held.ts', import.meta.url).href],
      environment: { HELD_PORT: String(HELD_PORT) },
    })
    const probe = new Worker(new URL('./health-probe.ts', import.meta.url), { workerData: { port: server.port } })
    const { processor, cores, commit } = thisMachine(new Date())
    tell(`${processor}, ${cores} cores, ${commit}, --seed ${values.seed}`)
    const found = await askAll(server, probe)
    tell(table(found))
    await probe.terminate()
    await server.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const made = (): string => dataSet('data/bench', { customers: 1_000_000, deals: 100_000, longTexts: true }, tell).path

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

/** Asks what is drawn, then the dearest again: a single figure may be that of something else on this machine. */
async function askAll(server: Server, probe: Worker): Promise<readonly Dearness[]> {
  const random = randomFrom(Number(values.seed))
  const ids = await knownIds(server)
  const until = performance.now() + Number(values.seconds) * 1000
  const found: Dearness[] = []
  for (let nth = 0; nth < Number(values.requests) && performance.now() < until; ) {
    const drawn = drawRequest(random, ids)
    if (!`${drawn.what} ${drawn.path}`.includes(values.only)) continue
    nth++
    found.push(await measured(drawn, server, probe))
  }
  const dearest = new Set([byHeld, byMemory, byCpu].flatMap((by) => found.toSorted(by).slice(0, Number(values.top))))
  const again: Dearness[] = []
  for (const each of dearest) again.push(cheaper(each, await measured(each.drawn, server, probe)))
  tell(`${found.length} requests; ${found.filter(({ status }) => status >= 500).length} of them answered 5xx`)
  return again.toSorted(byHeld)
}

const byHeld = (a: Dearness, b: Dearness): number => b.held - a.held
const byMemory = (a: Dearness, b: Dearness): number => b.peak - a.peak
const byCpu = (a: Dearness, b: Dearness): number => b.cpu - a.cpu
const cheaper = (a: Dearness, b: Dearness): Dearness => (a.held < b.held || isAway(b) ? a : b)

/** Whether the service was still busy with what came before. */
const isAway = ({ status }: Pick<Dearness, 'status'>): boolean => status === 503

async function knownIds({ port }: Server): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>([['report', 'won-and-lost']])
  for (const { name, path } of buildSchema().resources) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}?maxpagesize=1&sort=-id`)
    const { items = [] } = (await answer.json()) as { readonly items?: readonly { readonly id: string }[] }
    if (items[0] !== undefined) ids.set(name, String(items[0].id))
  }
  return ids
}

const REST = 1000

async function measured(drawn: DrawnRequest, server: Server, probe: Worker): Promise<Dearness> {
  const first = await measure(drawn, server, probe)
  if (!isAway(first)) return first
  await setTimeout(REST)
  return measure(drawn, server, probe)
}

async function measure(drawn: DrawnRequest, server: Server, probe: Worker): Promise<Dearness> {
  await probed(probe)
  await heldThread()
  server.forgetPeak()
  const before = await server.cost()
  const begun = performance.now()
  const { status, bytes } = await ask(drawn, server.port)
  const took = performance.now() - begun
  const after = await server.cost()
  const held = await heldThread()
  const times = await probed(probe)
  const health = { p99: latencyOf(times)?.p99 ?? 0, most: Math.max(...times) }
  return { drawn, status, bytes, took, cpu: (after.cpu - before.cpu) / 1000, held, health, peak: after.peak }
}

const HELD_PORT = 18_099

const heldThread = async (): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${HELD_PORT}/`, { headers: { connection: 'close' } })).text())

async function probed(probe: Worker): Promise<readonly number[]> {
  const answer = once(probe, 'message')
  probe.postMessage('tell')
  const [times] = await answer
  return times as readonly number[]
}

function ask({ method, path, headers, body }: DrawnRequest, port: number): Promise<Pick<Dearness, 'status' | 'bytes'>> {
  const sent = Buffer.from(body ?? '')
  const length = body === undefined ? {} : { 'content-length': String(sent.length) }
  return new Promise((resolve) => {
    let bytes = 0
    const asking = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false })
    const end = (status: number): void => resolve({ status, bytes })
    const giveUp = AbortSignal.timeout(Number(values.patience) * 1000)
    giveUp.addEventListener('abort', () => asking.destroy())
    asking.once('response', (answer) => {
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.once('close', () => end(answer.complete ? (answer.statusCode ?? 0) : 0))
    })
    asking.once('error', () => end(0))
    asking.end(body === undefined ? undefined : sent)
  })
}

const SHOWN = 150

function table(found: readonly Dearness[]): string {
  const rows = found.map(({ drawn, status, took, cpu, bytes, held, health, peak }) => [
    ...[held, health.most, health.p99, cpu, took].map((value) => value.toFixed(0)),
    ...[bytes, peak].map((value) => (value / 2 ** 20).toFixed(1)),
    String(status),
    `${drawn.what}: ${drawn.method} ${drawn.path} ${JSON.stringify((drawn.body ?? '').slice(0, 90))}`.slice(0, SHOWN),
  ])
  const heads = ['held ms', 'health max', 'p99', 'cpu ms', 'took ms', 'answer MiB', 'peak MiB', 'status', 'request']
  return [heads, ...rows].map((row) => row.join('\t')).join('\n')
}

if (values.help) process.stdout.write(`${usage}\n`)
else await search()
