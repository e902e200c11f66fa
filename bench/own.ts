import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addDeals, copyOf, dataSet } from './data-set.ts'
import { startReader } from './load/reader.ts'
import { pairedRow } from './paired.ts'
import { postgresCopy, startBenchPostgres, withDatabaseCpu } from './postgres-data.ts'
import { type Server, startServer } from './server.ts'
import { textTable } from './table.ts'

// A filter or sort on an indexed own field beside the same on a built-in field with an index: every deal has the same
// value in both, so both ask for the same deals and get the same bytes. At most 1.2 times the CPU is the target.

const { values } = parseArgs({
  options: {
    deals: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '11' },
    only: { type: 'string', default: '' },
    stores: { type: 'string', default: 'sqlite,postgres' },
    data: { type: 'string', default: 'data/bench' },
    database: { type: 'string' },
  },
})
const CUSTOMERS = 10_000
const CLIENTS = 4
const DEALS = '/rest/v1/deals'

/** Built-in fields with an index, and the kinds of the own ones that have their values. */
const pairs = { completionDate: ['due', 'date'], customerId: ['account', 'integer'] } as const

/** What is asked, of a field by its name. */
const queries: readonly (readonly [title: string, field: keyof typeof pairs, path: (field: string) => string])[] = [
  ['equal', 'completionDate', (field) => `${field}=2025-03-07`],
  ['equal, an integer', 'customerId', (field) => `${field}=4711`],
  ['one of three', 'completionDate', (field) => `${field}.in=2025-03-07,2025-04-07,2025-05-07`],
  ['a range, sorted by it', 'completionDate', (field) => `${field}.gt=2025-03-07&${field}.lt=2025-03-20&sort=${field}`],
  ['a range, sorted by id', 'completionDate', (field) => `${field}.gt=2025-03-07&${field}.lt=2025-03-20`],
  ['a narrow range, sorted by id', 'completionDate', (field) => `${field}.gte=2025-03-07&${field}.lte=2025-03-08`],
  ['sorted', 'completionDate', (field) => `sort=${field}`],
  ['sorted, descending', 'completionDate', (field) => `sort=-${field}`],
  ['sorted, the next page', 'completionDate', (field) => `sort=${field}&next`],
  ['sorted, page 20', 'completionDate', (field) => `sort=${field}&page=20`],
  ['equal and filtered', 'customerId', (field) => `${field}=4711&status=open`],
]

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
const { read, cost, close } = startReader(CLIENTS)
const REQUESTS = Number(values.requests)
const deals = Number(values.deals)
const path = values.database ?? (await madeDatabase())
const rows = [['', 'built-in', 'own', 'ratio', 'interval']]
if (values.stores.includes('sqlite')) {
  await measureAll('SQLite', await startServer('service', { database: path }))
}
if (values.stores.includes('postgres')) {
  const postgres = await startBenchPostgres()
  const database = await postgresCopy(postgres, 'own', { path, customers: CUSTOMERS, deals })
  await measureAll('PostgreSQL', withDatabaseCpu(await startServer('service', { database }), postgres))
  await postgres.remove()
}
process.stdout.write(`CPU µs per request, ${deals} deals\n${textTable(rows, 1)}\n`)
close()
rmSync(folder, { recursive: true })

/** Deals are added when the fields are there, so that their index has the values from the beginning. */
async function madeDatabase(): Promise<string> {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`)
  const set = dataSet(values.data, { customers: CUSTOMERS, deals: 0 }, tell)
  const database = copyOf(set, join(folder, 'dealdesk.db'))
  const server = await startServer('service', { database })
  for (const [name, kind] of Object.values(pairs)) {
    const field = { on: 'deal', name, title: name, kind, indexed: true }
    const { status } = await fetch(`http://127.0.0.1:${server.port}/fields`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(field),
    })
    if (status !== 201) throw new Error(`the field ${name} was answered with ${status}`)
  }
  await server.stop()
  tell(`adding ${deals} deals …`)
  addDeals(database, { customers: CUSTOMERS, deals }, ({ completionDate, customerId }) => ({
    due: completionDate,
    account: customerId,
  }))
  return database
}

async function measureAll(store: string, server: Server): Promise<void> {
  for (const [title, field, write] of queries.filter(([title]) => title.includes(values.only))) {
    const [builtIn, own] = await Promise.all(
      [field, `own.${pairs[field][0]}`].map((name) => addressOf(server, write(name))),
    )
    const answers = await Promise.all([builtIn, own].map((address) => read(server, String(address))))
    const [ids, sameIds] = answers.map((text) =>
      JSON.parse(text)
        .items.map(({ id }: { id: string }) => id)
        .join(),
    )
    if (ids !== sameIds) throw new Error(`${title}: other deals were found`)
    const found = String(ids).split(',').length
    const cpuOf = (address: string | undefined): Promise<number> => cost(server, [String(address)], REQUESTS)
    for (const address of [builtIn, own]) await cpuOf(address)
    const of = (address: string | undefined) => () => cpuOf(address)
    rows.push(await pairedRow(`${store}: ${title} (${found})`, Number(values.rounds), of(builtIn), of(own)))
  }
  await server.stop()
}

/** The address of a query; that of its second page, by the cursor, if it asks for it. */
async function addressOf(server: Server, query: string): Promise<string> {
  const address = `${DEALS}?maxpagesize=50&${query.replace('&next', '')}`
  if (!query.endsWith('&next')) return address
  const { next } = JSON.parse(await read(server, address)).links as { readonly next: string }
  return next.slice(next.indexOf(DEALS))
}
