import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillDemo } from '../src/cli/actions/fill-demo.ts'
import { readSettings } from '../src/config.ts'
import { startReader } from './load/reader.ts'
import { startServer } from './server.ts'

// What pages cost for people, beside what the same costs for programs. A page of fifty deals: at most three times the
// CPU. Without a database it is the demo's: node bench/pages.ts [--requests 500] [--rounds 9] [--database FILE]

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '9' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const REQUESTS = Number(values.requests)
const ROUNDS = Number(values.rounds)
const CLIENTS = 8

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
const database = values.database ?? join(folder, 'dealdesk.db')
if (values.database === undefined) await fillDemo(readSettings({ DATABASE_URL: database }))

const server = await startServer('service', { database })
const reader = startReader(CLIENTS)
const [deal] = JSON.parse(await reader.read(server, '/rest/v1/deals?status=open&maxpagesize=1')).items

const pages = [
  { name: '50 deals', path: '/rest/v1/deals?maxpagesize=50' },
  { name: 'one deal', path: `/rest/v1/deals/${deal.id}` },
  { name: '50 customers', path: '/customers?maxpagesize=50' },
  { name: '/board', path: '/board' },
  { name: '/', path: '/' },
].filter(({ name }) => name.includes(values.only))

process.stdout.write(`µs CPU per request${' '.repeat(6)}JSON    HTML   times\n`)
for (const { name, path } of pages) {
  const costs = { json: [] as number[], html: [] as number[] }
  for (let round = -1; round < ROUNDS; round++) {
    const json = await reader.cost(server, [path], REQUESTS)
    const html = await reader.cost(server, [path], REQUESTS, 'text/html')
    // The first round warms up.
    if (round < 0) continue
    costs.json.push(json)
    costs.html.push(html)
  }
  // Both of a round met the same machine, whatever else it did then.
  const times = middle(costs.html.map((html, round) => html / (costs.json[round] ?? html)))
  const cell = (text: string): string => text.padStart(8)
  process.stdout.write(
    `${name.padEnd(20)}${[middle(costs.json).toFixed(0), middle(costs.html).toFixed(0), times.toFixed(2)].map(cell).join('')}\n`,
  )
}
reader.close()
await server.stop()
rmSync(folder, { recursive: true })

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
