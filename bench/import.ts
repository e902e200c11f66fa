import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMaintenance } from '../src/store/open.ts'
import { writeCustomers } from './customers-file.ts'
import { thisMachine } from './machine.ts'

// A million customers imported into an empty database, the same again, and exported, as an operator would.
// `npm run bench -- import 200000` measures fewer.

const rows = Number(process.argv[2] ?? 1_000_000)
const main = join(import.meta.dirname, '../src/start.js')
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-import-'))

try {
  const { processor, cores, node, sqlite, commit } = thisMachine(new Date())
  process.stdout.write(`${processor}, ${cores} cores, Node ${node}, SQLite ${sqlite}, ${commit}\n`)
  process.stdout.write(`${rows.toLocaleString('en')} customers\n\n`)
  const file = join(folder, 'customers.csv')
  await writeCustomers(file, rows)
  await openMaintenance({ databaseUrl: join(folder, 'dealdesk.db') }, { mustExist: false })
  await measure('import into an empty database', ['import', 'customers', file])
  await measure('import of the same again', ['import', 'customers', file])
  await measure('export as CSV', ['export', 'customers', join(folder, 'out.csv')])
  await measure('export as NDJSON', ['export', 'customers', join(folder, 'out.ndjson')])
  await measure('import of NDJSON, the same again', ['import', 'customers', join(folder, 'out.ndjson')])
} finally {
  rmSync(folder, { recursive: true })
}

/** The whole process: its start, its end and its peak of memory, as the system counted it. */
async function measure(what: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, DATABASE_URL: join(folder, 'dealdesk.db') }
  const start = performance.now()
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString()
  })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0))
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  const seconds = (performance.now() - start) / 1000
  const rate = Math.round(rows / seconds).toLocaleString('en')
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s, ${rate} rows/s, peak ${peak} MB\n  ${said.trim()}\n`)
}

function peakOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}
