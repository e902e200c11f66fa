import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDemo } from '../src/cli/actions/fill-demo.ts'
import { readSettings } from '../src/config.ts'
import { type Server, startServer } from './server.ts'

// What a page of fifty deals costs for people, beside what it costs for programs: at most three times the CPU.

const REQUESTS = Number(process.argv[2] ?? 1000)
const ROUNDS = 9
const PATH = '/rest/v1/deals?maxpagesize=50'

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
const database = join(folder, 'dealdesk.db')
await fillDemo(readSettings({ DATABASE_URL: database }))

const server = await startServer('service', { database })
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const costs = { json: [] as number[], html: [] as number[] }
for (const accept of ['application/json', 'text/html'] as const) await microseconds(server, accept)
for (let round = 0; round < ROUNDS; round++) {
  costs.json.push(await microseconds(server, 'application/json'))
  costs.html.push(await microseconds(server, 'text/html'))
}
agent.destroy()
await server.stop()
rmSync(folder, { recursive: true })

// Both of a round met the same machine, whatever else it did then.
const times = middle(costs.html.map((html, round) => html / (costs.json[round] ?? html)))
process.stdout.write(
  `50 deals, µs CPU per request: JSON ${middle(costs.json).toFixed(0)}, HTML ${middle(costs.html).toFixed(0)}: ${times.toFixed(2)} times\n`,
)

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** CPU of the server for each of many requests. */
async function microseconds({ port, cost }: Server, accept: string): Promise<number> {
  const before = await cost()
  let left = REQUESTS
  const next = async (): Promise<void> => {
    while (left-- > 0) await read(port, accept)
  }
  await Promise.all(Array.from({ length: 8 }, next))
  return ((await cost()).cpu - before.cpu) / REQUESTS
}

function read(port: number, accept: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path: PATH, headers: { accept } }, (response) => {
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}
