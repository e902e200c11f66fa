import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { copyOf, dataSet } from './data-set.ts'
import { startGenerator } from './load/load.ts'
import { startReader } from './load/reader.ts'
import { takeRound, WARM_UP } from './measure.ts'
import { pairedRow } from './paired.ts'
import { type Server, startServer } from './server.ts'
import { textTable } from './table.ts'

// What fifty own fields of deals cost while no deal has a value in them: writes beside a service without fields, and reads
// beside one whose answers are as long because of longer descriptions. At most 1.1 times the CPU is the target.

const { values } = parseArgs({
  options: {
    fields: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '1' },
    requests: { type: 'string', default: '400' },
    data: { type: 'string', default: 'data/bench' },
  },
})
const CLIENTS = 8
const DEALS = '/rest/v1/deals'
const READ = 200

const tell = (line: string): void => void process.stderr.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
const set = dataSet(values.data, { customers: 10_000, deals: 20_000 }, tell)
const generator = startGenerator()
const { read, cost, close } = startReader(CLIENTS)

const plain = await startServer('service', { database: copyOf(set, join(folder, 'plain.db')) })
const withFields = await startServer('service', { database: copyOf(set, join(folder, 'fields.db')) })
await addFields(withFields, Number(values.fields))

const page = `${DEALS}?maxpagesize=50`
const longer = (await read(withFields, page)).length - (await read(plain, page)).length
const asLong = await startServer('service', { database: describedAtLength(Math.round(longer / 50)) })

const rows = [['CPU µs', 'without', `${values.fields} unset`, 'ratio', 'interval']]
for (const workload of ['W5', 'W6']) {
  const cpuOf = async (server: Server, seed: number, times = 1): Promise<number> =>
    (
      await takeRound(
        server,
        { port: server.port, workload, data: set, seed },
        generator,
        times * Number(values.seconds),
      )
    ).cpu
  for (const server of [plain, withFields]) await cpuOf(server, 0, WARM_UP)
  rows.push(await compared(workload, plain, cpuOf))
}
const { items } = JSON.parse(await read(plain, `${DEALS}?maxpagesize=${READ}`))
const single = items.map(({ id }: { readonly id: string }) => `${DEALS}/${id}`)
for (const [title, paths] of [
  ['one deal', single],
  ['50 deals', [page]],
] as const) {
  const cpuOf = (server: Server): Promise<number> => cost(server, paths, Number(values.requests))
  for (const server of [asLong, withFields]) await cpuOf(server)
  rows.push(await compared(`${title}, as many bytes`, asLong, cpuOf))
}
process.stdout.write(`${textTable(rows, 1)}\n`)
for (const server of [plain, withFields, asLong]) await server.stop()
generator.stop()
close()
rmSync(folder, { recursive: true })

async function addFields({ port }: Server, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const field = { on: 'deal', name: `field${nth}`, title: `Field ${nth}`, kind: nth % 2 === 0 ? 'text' : 'integer' }
    const { status } = await fetch(`http://127.0.0.1:${port}/fields`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(field),
    })
    if (status !== 201) throw new Error(`a field was answered with ${status}`)
  }
}

/** A copy whose deals have descriptions that are longer by so many characters. */
function describedAtLength(more: number): string {
  const path = copyOf(set, join(folder, 'as-long.db'))
  using db = new DatabaseSync(path)
  const text = `json_extract(doc, '$.description') || '${'x'.repeat(more)}'`
  db.exec('DROP TRIGGER IF EXISTS deals_grams_updated')
  db.exec(`UPDATE deals SET doc = json_set(doc, '$.description', ${text})`)
  return path
}

function compared(title: string, other: Server, cpuOf: (server: Server, seed: number) => Promise<number>) {
  const of = (server: Server) => (round: number) => cpuOf(server, round)
  return pairedRow(title, Number(values.rounds), of(other), of(withFields))
}
