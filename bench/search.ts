import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openMaintenance } from '../src/store/open.ts'
import { writeCustomers } from './customers-file.ts'
import { thisMachine } from './machine.ts'
import { picking } from './picking.ts'
import { startServer } from './server.ts'

// A million customers are imported, with the index of grams made at the end, and searched over HTTP.
// `npm run bench -- search 200000` measures fewer; `DATABASE_URL` makes it another database, which must be empty.

const rows = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 101
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-search-'))
const database = process.env.DATABASE_URL ?? join(folder, 'dealdesk.db')
const isFile = !database.startsWith('postgres')

/** Each is asked for anew in every round, where it has a number. */
const searches: readonly (readonly [what: string, path: (round: number) => string])[] = [
  ['a rare word', (round) => `/customers?q=${rareWord(round)}`],
  ['a rare word, counted', (round) => `/customers?q=${rareWord(round)}&count=exact`],
  ['two words, one of them rare', (round) => `/customers?q=example+${rareWord(round)}`],
  ['a rare part of a name', (round) => `/customers?name.contains=z%20${round * 7 + 3}`],
  ['two Chinese characters', () => '/customers?q=%E5%B0%8F%E6%98%8E'],
  ['a word that nobody has', () => '/customers?q=qqxxzz'],
  ['a common word', () => '/customers?q=example'],
  ['a common word, by name', () => '/customers?q=example&sort=-name'],
  ['a letter', () => '/customers?q=e'],
  ['a picker, as one types', (round) => picking('dilek dvorak 97'.slice(0, 1 + (round % 15)))],
  ['a picker, a part of an address', (round) => picking(rareWord(round))],
  ['a picker, nobody', () => picking('dilek qqxxzz')],
]

try {
  const { processor, cores, node, sqlite, commit } = thisMachine(new Date())
  process.stdout.write(`${processor}, ${cores} cores, Node ${node}, SQLite ${sqlite}, ${commit}\n`)
  const file = join(folder, 'customers.csv')
  await writeCustomers(file, rows, (id, name) => (id % 100_000 === 5 ? '\u738b\u5c0f\u660e' : name))
  await openMaintenance({ databaseUrl: database }, { mustExist: false })
  const begun = performance.now()
  await run('import', 'customers', file)
  const seconds = (performance.now() - begun) / 1000
  process.stdout.write(
    `import of ${rows.toLocaleString('en')} customers, index included: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} rows/s\n`,
  )
  await measureSearches()
  if (isFile) tellSize()
} finally {
  rmSync(folder, { recursive: true })
}

async function run(...args: readonly string[]): Promise<void> {
  const env = { ...process.env, DATABASE_URL: database }
  const main = join(import.meta.dirname, '../src/start.js')
  const [code] = await once(spawn(process.execPath, [main, ...args], { env, stdio: 'ignore' }), 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

/** Part of one address. */
function rareWord(round: number): string {
  return `.${Math.floor((rows * (round + 1)) / (ROUNDS + 2))}@`
}

async function measureSearches(): Promise<void> {
  const server = await startServer('service', { database })
  const agent = new Agent({ keepAlive: true })
  for (const [what, path] of searches) {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now()
      found += JSON.parse(await read(agent, server.port, path(round))).items.length
      times.push(performance.now() - begun)
    }
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): string => (sorted[Math.floor(ROUNDS * share)] ?? 0).toFixed(1)
    process.stdout.write(
      `${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, ${(found / ROUNDS).toFixed(1)} found\n`,
    )
  }
  agent.destroy()
  await server.stop()
}

function read(agent: Agent, port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(text)).on('error', reject)
    }).on('error', reject)
  })
}

function tellSize(): void {
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
  const db = new DatabaseSync(database)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const whole = statSync(database).size
  const without = db.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE '%\\_grams' ESCAPE '\\'`).all()
  for (const { name } of without) db.exec(`DROP TABLE ${name}`)
  const { page_size, pages } = db
    .prepare(
      'SELECT page_size, page_count - freelist_count AS pages FROM pragma_page_size, pragma_page_count, pragma_freelist_count',
    )
    .get() as { readonly page_size: number; readonly pages: number }
  db.close()
  process.stdout.write(`database: ${megabytes(whole)}, without the index ${megabytes(page_size * pages)}\n`)
}
