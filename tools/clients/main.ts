import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Feature, type ForeignClient, features, type TriedService } from './foreign-client.ts'
import { compile } from './run-tool.ts'
import { type Cell, type Row, tableOf, writeTable } from './table.ts'
import { runTriedService } from './tried-service.ts'

// `npm run test:clients` tries every client that people have, and writes what came of it into the documents;
// `npm run test:clients -- NAME` tries some and writes nothing. A client is a file in the folder `clients`.
const here = import.meta.dirname
const wanted = process.argv.slice(2)
const names = readdirSync(join(here, 'clients'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .toSorted()
if (names.length === 0) throw new Error(`there is no client ${wanted.join(', ')}`)

const generated = join(here, 'generated')
rmSync(generated, { recursive: true, force: true })
mkdirSync(generated, { recursive: true })
const { close, ...service } = await runTriedService(join(generated, 'dealdesk.db'))
const clients = new Map<string, ForeignClient>()
for (const name of names) clients.set(name, (await import(join(here, 'clients', `${name}.ts`))).client)

const failed = new Map<string, string>()
for (const [name, { generate }] of clients) {
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  await attempt(name, async () => await generate?.({ ...service, folder }))
}
const faults = await compile()
const rows: Row[] = []
for (const [name, client] of clients) rows.push(await tryClient(name, client))
await close()

const table = tableOf(rows)
console.log(table)
for (const [where, why] of failed) console.error(`\n${where}: ${why}`)
if (wanted.length === 0) writeTable(join(here, '../../docs/choosing-a-form.md'), table)
process.exit(failed.size === 0 ? 0 : 1)

function folderOf(name: string): string {
  return join(generated, name)
}

async function tryClient(name: string, { packages, door, types, tries }: ForeignClient): Promise<Row> {
  const cells = new Map<Feature | 'types', Cell>()
  const ofClient = faults.filter((fault) => fault.includes(`/${name}.ts(`) || fault.includes(`/${name}/`))
  if (types !== 'checked') cells.set('types', types)
  else if (failed.has(name)) cells.set('types', { fails: failed.get(name) ?? '' })
  else cells.set('types', await attempt(`${name}: types`, async () => refuse(ofClient)))
  for (const feature of Object.keys(features) as Feature[]) {
    const trial = tries[feature]
    const tried: TriedService = { ...service, folder: folderOf(name) }
    const cell = typeof trial === 'function' ? await attempt(`${name}: ${feature}`, () => trial(tried)) : trial
    cells.set(feature, cell)
  }
  return { client: packages.map((each) => `${each} ${versionOf(each)}`).join(', '), door, cells }
}

function refuse(found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${found.length} lines: ${found.slice(0, 12).join('\n')}`)
}

async function attempt(where: string, run: () => Promise<void>): Promise<Cell> {
  try {
    await run()
    return 'works'
  } catch (cause) {
    const fails = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    failed.set(where, fails)
    return { fails }
  }
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version
}
