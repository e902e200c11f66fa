import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openEventSource } from '../support/service/event-source.ts'
import { fileForm } from '../support/service/file-form.ts'
import { openDesk } from '../support/service/running-command.ts'
import { send } from '../support/service/send.ts'
import { spawnService } from '../support/service/service-process.ts'
import { runReceiver } from '../support/webhooks/receiver.ts'

// Every kind of work at once, for as long as it is told: a leak and a rare fault need time. The suite does each a few
// times only.

const MINUTES = Number(process.env.SOAK_MINUTES ?? 0)
const TURNS = 3
/** Minutes after which memory no longer grows. */
const WARM = 5
const DEALS = '/rest/v1/deals'
const html = { accept: 'text/html' }

test('every kind of work at once leaves no error behind, and no memory', {
  timeout: (MINUTES + 5) * 60_000,
}, async (t) => {
  await using desk = openDesk()
  const service = spawnService({ DATABASE_URL: desk.database, WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'info' })
  const url = await service.ready
  const receiver = await runReceiver()
  await ask(url, 'POST', '/webhooks', { url: receiver.url })
  const until = Date.now() + MINUTES * 60_000
  const goesOn = (turn: number): boolean => (MINUTES === 0 ? turn < TURNS : Date.now() < until)
  let isOver = false
  const memory = sampleMemory(Number(service.process.pid), () => isOver)
  const counts = new Map<string, number>()
  const works: Works = {
    pages: (turn) => get(url, pages[turn % pages.length] as string, html),
    readers: (turn) => get(url, reads[turn % reads.length] as string),
    doors: (turn) => askDoor(url, turn),
    operations: () => dealStory(url),
    streams: () => followChanges(url),
    commands: (turn) => streamCommands(url, turn),
    uploads: (turn) => upload(url, turn),
    exports: () => get(url, '/customers.ndjson'),
    backups: (turn) => command(['backup', desk.path(`${turn}.db`)]),
    purges: () => command(['purge']),
  }
  async function command(args: readonly string[]): Promise<void> {
    const { code, stderr } = await desk.run(args)
    assert.equal(code, 0, `${args[0]}: ${stderr}`)
    // Operators do so now and then.
    if (MINUTES > 0) await pause(15_000)
  }
  const keepAt = async ([name, work]: [string, Work]): Promise<void> => {
    for (let turn = 0; goesOn(turn); turn++) {
      await work(turn)
      counts.set(name, turn + 1)
    }
  }
  await Promise.all(Object.entries(works).map(keepAt))
  isOver = true
  tell(t, counts, await memory, receiver.received.length)
  service.process.kill('SIGTERM')
  const { code, stderr } = await service.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(errorsIn(stderr), [])
  assert.ok(receiver.received.length > 0)
  assertFlat(await memory)
})

type Work = (turn: number) => Promise<unknown>
interface Works {
  readonly [name: string]: Work
}

const pages = [
  '/',
  '/board',
  DEALS,
  '/customers',
  '/rest/v1/tasks',
  '/reports',
  '/search?q=soak',
  '/new/deals',
  '/docs',
]
const reads = [
  `${DEALS}?status=open&sort=-updatedAt`,
  `${DEALS}.csv?limit=200`,
  `${DEALS}.xml?limit=20`,
  `${DEALS}?group=stage,currency&measure=count,sum.price`,
  '/customers?q=soak&limit=20',
  '/customers.xlsx?limit=200',
  '/events?limit=200',
  '/openapi.json',
  '/metrics',
  '/health/ready',
]

/** Only overload may be told, and then it is asked again. */
async function ask(url: string, method: string, path: string, body?: unknown, headers: Heads = {}): Promise<Answer> {
  for (;;) {
    const answer = await send(method, url + path, body, headers)
    assert.ok(answer.status < 400 || answer.status === 503, `${method} ${path}: ${answer.status} ${answer.text}`)
    if (answer.status !== 503) return answer
    await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  }
}
type Heads = Readonly<Record<string, string>>
type Answer = Awaited<ReturnType<typeof send>>

const get = (url: string, path: string, headers: Heads = {}): Promise<Answer> =>
  ask(url, 'GET', path, undefined, headers)

async function askDoor(url: string, turn: number): Promise<void> {
  const asked: readonly (() => Promise<Answer>)[] = [
    () => ask(url, 'POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.list', params: { limit: 20 } }),
    () => get(url, '/jsonapi/deals?page[size]=20&include=customer'),
    () => get(url, '/odata/Deals?$top=20&$expand=customer'),
    () => get(url, '/postgrest/deals?limit=20&status=eq.open'),
    () => ask(url, 'POST', '/graphql', { query: '{ deals(first: 20) { edges { node { id name price } } } }' }),
    () => ask(url, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: MCP }),
  ]
  await asked[turn % asked.length]?.()
}
const MCP = 'application/json, text/event-stream'

/** A deal through several forms, to its end. */
async function dealStory(url: string): Promise<void> {
  const made = await ask(url, 'POST', `${DEALS}/`, { name: 'Soak', price: 100, description: 'soaked '.repeat(50) })
  const { id } = JSON.parse(made.text) as { readonly id: string }
  const at = `${DEALS}/${id}`
  await ask(url, 'PUT', `${at}/hold`, { reason: 'wait' })
  await ask(url, 'POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.unhold', params: { id } })
  await ask(url, 'POST', `${at}/payments`, { amount: 5 })
  await ask(url, 'PUT', at, { action: 'complete', params: {} })
  await get(url, at, html)
  await get(url, `${at}/history`)
  await ask(url, 'DELETE', at)
}

/** Hears of a change that it makes. */
async function followChanges(url: string): Promise<void> {
  const source = await openEventSource(`${url}/events`)
  await ask(url, 'POST', `${DEALS}/`, { name: 'Followed', price: 1 })
  await source.received(1)
  source.close()
}

async function streamCommands(url: string, turn: number): Promise<void> {
  const lines = Array.from({ length: 50 }, (_, n) =>
    JSON.stringify({ id: `soak-${turn}-${n}`, action: 'CreateDeal', params: { name: `Streamed ${n}`, price: n } }),
  )
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await fetch(`${url}/rest/commands`, { method: 'POST', headers, body: `${lines.join('\n')}\n` })
  const answered = (await answer.text()).trim().split('\n')
  assert.equal(answered.length, lines.length, answered.join('\n'))
}

async function upload(url: string, turn: number): Promise<void> {
  const rows = Array.from({ length: 200 }, (_, n) => `Soak ${turn} ${n},soak-${turn}-${n}@example.com,${n % 90}`)
  const { type, content } = fileForm({
    what: 'customers',
    file: { name: 'soak.csv', content: ['name,email,age', ...rows].join('\n') },
  })
  const headers = { 'content-type': type, ...html, 'sec-fetch-site': 'same-origin' }
  const sent = await fetch(`${url}/imports`, { method: 'POST', headers, body: content, redirect: 'manual' })
  assert.equal(sent.status, 303, await sent.text())
  const address = String(sent.headers.get('location'))
  await form(url, `${address}/matchings`, {
    'column-0': 'name',
    'column-1': 'email',
    'column-2': 'age',
    after: 'check',
  })
  await settled(url, address)
  await form(url, `${address}/runs`, {})
  await settled(url, address)
}

async function form(url: string, path: string, fields: Heads): Promise<void> {
  const body = new URLSearchParams(fields)
  const answer = await fetch(url + path, { method: 'POST', headers: html, body, redirect: 'manual' })
  assert.equal(answer.status, 303, await answer.text())
}

async function settled(url: string, path: string): Promise<void> {
  for (;;) {
    const { text } = await get(url, path)
    if ((JSON.parse(text) as { readonly isRunning?: boolean }).isRunning !== true) return
    await pause(20)
  }
}

interface MemorySample {
  readonly minute: number
  readonly megabytes: number
}

async function sampleMemory(pid: number, isOver: () => boolean): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = []
  const begun = Date.now()
  while (!isOver()) {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(join('/proc', String(pid), 'status'), 'utf8')) ?? []
    samples.push({ minute: (Date.now() - begun) / 60_000, megabytes: Number(kilobytes) / 1024 })
    await pause(500)
  }
  return samples
}

const medianOf = (samples: readonly MemorySample[]): number =>
  samples.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0

/** What was used in the last quarter of the time behind the first minutes, beside the first quarter of it. */
function assertFlat(samples: readonly MemorySample[]): void {
  if (MINUTES <= WARM) return
  const warm = samples.filter(({ minute }) => minute >= WARM)
  const quarter = Math.floor(warm.length / 4)
  const [first, last] = [medianOf(warm.slice(0, quarter)), medianOf(warm.slice(-quarter))]
  assert.ok(last < first * 1.1, `${first.toFixed(0)} MB became ${last.toFixed(0)} MB`)
}

function tell(
  t: TestContext,
  counts: ReadonlyMap<string, number>,
  memory: readonly MemorySample[],
  heard: number,
): void {
  t.diagnostic([...counts].map(([name, count]) => `${name} ${count}`).join(', '))
  const everyMinute = memory.filter(({ minute }, at) => Math.floor(minute) !== Math.floor(memory[at - 1]?.minute ?? -1))
  t.diagnostic(`MB by the minute: ${everyMinute.map(({ megabytes }) => megabytes.toFixed(0)).join(' ')}`)
  t.diagnostic(`${heard} deliveries`)
}

const errorsIn = (log: string): readonly string[] =>
  log.split('\n').filter((line) => /"level":"(?:error|fatal)"/.test(line) || (line !== '' && !line.startsWith('{')))
