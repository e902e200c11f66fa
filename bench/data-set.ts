import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Random, randomFrom } from '../src/demo/random.ts'
import type { Thing } from '../src/model/declaration/resource.ts'
import type { Resource } from '../src/model/declaration/schema.ts'
import type { Deal } from '../src/model/nouns/deal/deal.ts'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { resourceNamed } from '../src/model/schema/resources.ts'
import { type EventRow, eventRow } from '../src/store/rows/event.ts'
import { sinceAfter } from '../src/store/rows/projection.ts'
import { workRunner } from '../src/store/sqlite/connect/statements.ts'
import { totalTriggers } from '../src/store/sqlite/schema/kept-totals.ts'
import { prepareDatabase } from '../src/store/sqlite/schema/migrate.ts'
import { migrations } from '../src/store/sqlite/schema/migrations.ts'
import { gramTriggers, indexLater } from '../src/store/sqlite/schema/search-index.ts'
import { writeRows } from '../src/store/sqlite/write/decided-rows.ts'
import { ownText } from '../src/values/json/own.ts'
import { longDescription, sampleCustomer, sampleDeal } from './sample.ts'
import type { ServerName } from './server.ts'

const schema = buildSchema()
const customer = resourceNamed(schema, 'customer')
const deal = resourceNamed(schema, 'deal')

export interface Size {
  readonly customers: number
  readonly deals: number
  /** Whether deals have long descriptions, some as long as they may be. */
  readonly longTexts?: true
}

export interface DataSet extends Size {
  readonly path: string
}

/** The data set of that size, made when it is not there or when what the service writes has changed since. */
export function dataSet(folder: string, size: Size, tell: (line: string) => void): DataSet {
  const start = `${size.customers}-${size.deals}${size.longTexts ? '-long' : ''}-`
  const name = `${start}${fingerprint()}.db`
  const path = join(folder, name)
  if (existsSync(path)) return { ...size, path }
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder)) if (old.startsWith(start)) rmSync(join(folder, old))
  tell(`making ${size.customers.toLocaleString('en')} customers and ${size.deals.toLocaleString('en')} deals …`)
  const making = `${path}.${process.pid}`
  make(making, size)
  renameSync(making, path)
  return { ...size, path }
}

/** A database to write to; synced, so that the copying is over when the measuring begins. */
export function copyOf({ path }: DataSet, to: string): string {
  copyFileSync(path, to, constants.COPYFILE_FICLONE)
  const file = openSync(to, 'r+')
  fsyncSync(file)
  closeSync(file)
  return to
}

/** The data set of that size as another checkout makes it, whose tables may differ. */
export function dataSetOf(checkout: string, size: Size, tell: (line: string) => void): DataSet {
  tell(`the data set of ${checkout} …`)
  const make = `import { dataSet } from './bench/data-set.ts'
    process.stdout.write(dataSet('data/bench', ${JSON.stringify(size)}, () => {}).path)`
  const path = execFileSync(process.execPath, ['--input-type=module', '-e', make], { cwd: checkout, encoding: 'utf8' })
  return { ...size, path: join(checkout, path) }
}

/** A copy for that server. The ceilings have the indexes that one would make by hand, all or none, and no triggers. */
export function databaseFor(name: ServerName, set: DataSet, folder: string): string {
  const to = resolve(join(folder, `${name.replaceAll(/\W+/g, '-')}.db`))
  if (name === 'service' || name === 'beside') return copyOf(set, to)
  if (name === 'bare, all indexes') return plainCopyOf(set, to, () => true)
  const chosen = name === 'bare, no index' ? customerIndexes : plainIndexes
  return plainCopyOf(set, to, (index) => chosen.has(index))
}

function plainCopyOf(set: DataSet, to: string, keeps: (index: string) => boolean): string {
  const db = new DatabaseSync(copyOf(set, to))
  const made = db.prepare(`SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL`)
  for (const { type, name } of made.all())
    if (type === 'trigger' || !keeps(String(name))) db.exec(`DROP ${type} ${name}`)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return to
}

/** Pages of customers are read by them; no change that is measured writes to them. */
const customerIndexes = new Set(['customers_name', 'customers_age', 'customers_children'])

const plainIndexes = new Set([
  ...customerIndexes,
  ...['deals_customer', 'deals_owner', 'deals_completion_date', 'deals_updated_at'],
])

/** Changes with the schema, with what is kept for searches and of totals, and with the documents. */
function fingerprint(): string {
  const random = randomFrom(1)
  const documents = [deal.toJson(sampleDeal(1, 1, random).deal), customer.toJson(sampleCustomer(1, random))]
  const triggers = schema.resources.flatMap((each) => [...gramTriggers(each), ...totalTriggers(each)])
  const texts = [...migrations.map(({ sql }) => sql), ...triggers.map(({ sql }) => sql), ...documents]
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 8)
}

/** Written by the service's own row writers, faster than it would: without syncs, the indexes last. */
function make(path: string, size: Size): void {
  rmSync(path, { force: true })
  prepareDatabase(path, schema)
  // A defensive connection refuses to be without a journal.
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false })
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144')
  // A deal's last period is found by its index.
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND name <> 'periods_deal'")
    .all()
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  db.exec('BEGIN')
  const random = randomFrom(5)
  const run = workRunner(db)
  for (let nth = 1; nth <= size.customers; nth++) {
    const made = sampleCustomer(nth, random)
    run(creation(customer, made, []))
  }
  writeDeals(db, size, random)
  for (const { sql } of indexes) db.exec(String(sql))
  indexLater(db, schema)
  db.exec('COMMIT; PRAGMA journal_mode = WAL')
  db.close()
}

/** Adds deals to a database that has its customers, with values of added fields if these are told. */
export function addDeals(path: string, size: Size, ownOf?: (deal: Deal, random: Random) => object): void {
  using db = new DatabaseSync(path)
  db.exec('BEGIN')
  writeDeals(db, size, randomFrom(6), ownOf)
  indexLater(db, schema)
  db.exec('COMMIT')
}

function writeDeals(
  db: DatabaseSync,
  { customers, deals, longTexts }: Size,
  random: Random,
  ownOf?: (deal: Deal, random: Random) => object,
): void {
  const run = workRunner(db)
  for (let nth = 1; nth <= deals; nth++) {
    const { deal: sample, events } = sampleDeal(nth, customers, random, longTexts && longDescription)
    const made = ownOf === undefined ? sample : { ...sample, own: ownText({ ...ownOf(sample, random) }) }
    const rows = events.map((event) => eventRow(event, event.operation.on.toJson(event.thing)))
    run(creation(deal, made, rows))
  }
}

/** The rows of a thing as the service writes them. */
function creation(resource: Resource, thing: Thing, events: readonly EventRow[]) {
  const states = events.map(({ event }) => event)
  const json = resource.toJson(thing)
  const after = { thing, json, removed: false, previousAt: null, since: sinceAfter(resource, undefined, states) }
  const decision = { resource, before: undefined, after, events, commands: [] }
  return writeRows({ first: [], parted: [], decisions: [decision], events })
}
