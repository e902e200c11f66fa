import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { addKey } from '../../src/access/as-operator.ts'
import { openStore } from '../../src/store/open.ts'
import { type OwnDatabase, ownSqlite } from '../support/database/own-database.ts'
import { loggedDefects } from '../support/service/logged-defects.ts'
import { type ServiceProcess, spawnService } from '../support/service/service-process.ts'
import type { Known } from './multipliers/multiplier.ts'

const DEALS = 400

export interface HostileService {
  readonly url: string
  readonly pid: number
  readonly keys: { readonly reader: string; readonly editor: string }
  readonly known: Known
  /** What the database holds but for imports, of which a refused one may be left. */
  holds(): string
  /** Bytes of the database. */
  size(): number
  stop(): Promise<void>
}

/** A service in a process of its own, with something in it. */
export async function startHostile(): Promise<HostileService> {
  const database = ownSqlite('ready')
  const keys = await keysIn(database)
  const service = spawnService({ DATABASE_URL: database.url })
  const url = await service.ready
  const known = await filled(url, keys)
  return {
    url,
    pid: service.process.pid ?? 0,
    keys,
    known,
    holds: () => countsIn(database),
    size: () => sizeOf(database),
    async stop() {
      await stopped(service)
      database.remove()
    },
  }
}

async function stopped({ process, ended }: ServiceProcess): Promise<void> {
  process.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.equal(loggedDefects(stderr), '', 'something was logged as a defect')
  assert.equal(code, 0)
}

async function keysIn({ url }: OwnDatabase) {
  const store = await openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))
  const made = async (role: 'reader' | 'editor' | 'admin'): Promise<string> => {
    const added = await addKey(store, { name: role, role })
    assert.ok('key' in added)
    return added.key
  }
  const keys = { reader: await made('reader'), editor: await made('editor'), admin: await made('admin') }
  await store.close()
  return keys
}

async function filled(url: string, { editor, admin }: { readonly editor: string; readonly admin: string }) {
  const send = async (path: string, body: object, key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return JSON.parse(text)
  }
  const field = { on: 'deal', title: 'Field' }
  await send('/fields', { ...field, name: 'note', kind: 'text', options: { max: 10_000 } }, admin)
  const values = ['red', 'green', 'blue'].map((value) => ({ value, title: value }))
  await send('/fields', { ...field, name: 'tags', kind: 'choices', options: { values } }, admin)
  const { id: customer } = await send('/customers', { name: 'Mila Sanz', age: 41, email: 'mila@example.com' }, editor)
  const commands = Array.from({ length: DEALS }, (_, n) => ({
    action: 'CreateDeal',
    params: { name: `Deal ${n}`, price: n, description: `${n} ${'lorem ipsum '.repeat(150)}`, customerId: customer },
  }))
  const { results } = await send('/rest/v1/batch', { commands }, editor)
  const deals = (results as { readonly deal?: { readonly id: string } }[]).flatMap(({ deal }) => deal?.id ?? [])
  return { deals, customer: String(customer) }
}

const counted = [
  ...['deals', 'customers', 'tasks', 'rates', 'views', 'targets', 'fields', 'pipelines', 'events', 'import_changes'],
  ...['users', 'keys', 'sessions', 'webhooks', 'deliveries', 'kept_forms', 'invitations'],
]

function countsIn({ url }: OwnDatabase): string {
  using db = new DatabaseSync(url, { readOnly: true, timeout: 60_000 })
  const columns = counted.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  return JSON.stringify(db.prepare(`SELECT ${columns}`).get())
}

function sizeOf({ url }: OwnDatabase): number {
  using db = new DatabaseSync(url, { readOnly: true, timeout: 60_000 })
  const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { readonly page_count: number }
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { readonly page_size: number }
  return pages * size
}
