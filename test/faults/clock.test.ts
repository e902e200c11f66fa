import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { oneOf } from '../support/faults/scale.ts'
import { spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('clock')
after(() => folder.remove())

const DAY = 86_400_000

interface Shown {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly items: readonly { readonly at: string }[]
}

const stores: readonly (readonly [string, () => Promise<OwnDatabase>])[] = [
  ['SQLite', async () => ownSqlite()],
  ['PostgreSQL', ownPostgres],
]

suite('a clock that goes back a day', () => {
  for (const [kind, make] of oneOf('CLOCK_STORES', stores)) {
    test(`writes no instant before the last one of its row, on ${kind}`, async (t) => {
      const database = await make()
      t.after(() => database.remove())
      const clock = join(folder.path, kind)
      const set = (offset: number): void => {
        writeFileSync(`${clock}.new`, String(offset))
        renameSync(`${clock}.new`, clock)
      }
      set(0)
      const preload = pathToFileURL(join(import.meta.dirname, '../support/faults/moved-clock.ts'))
      const service = spawnService({ DATABASE_URL: database.url, CLOCK: clock, NODE_OPTIONS: `--import=${preload}` })
      t.after(() => service.process.kill('SIGKILL'))
      const url = await service.ready
      const ask = async (method: string, path: string, body?: object): Promise<Shown> => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
        return (await answer.json()) as Shown
      }
      const deal = await ask('POST', '/rest/v1/deals', { name: 'Roof', price: 1 })
      const customer = await ask('POST', '/customers', { name: 'Ann' })
      set(-DAY)
      const other = await ask('POST', '/customers', { name: 'Bo' })
      assert.ok(other.createdAt < customer.createdAt, 'the clock did not go back')

      const held = await ask('PUT', `/rest/v1/deals/${deal.id}/hold`, { reason: 'credit check' })
      const priced = await ask('PUT', `/rest/v1/deals/${deal.id}`, { held: false, price: 2 })
      assert.deepEqual([held.updatedAt, priced.updatedAt], [deal.updatedAt, deal.updatedAt])
      const { items } = await ask('GET', `/rest/v1/deals/${deal.id}/history`)
      assert.deepEqual(new Set(items.map(({ at }) => at)), new Set([deal.updatedAt]))
      const changed = await ask('PUT', `/customers/${customer.id}`, { name: 'Ann', age: 40 })
      assert.equal(changed.updatedAt, customer.updatedAt)

      set(DAY)
      const later = await ask('PUT', `/rest/v1/deals/${deal.id}/hold`, { reason: 'credit check' })
      assert.ok(later.updatedAt > deal.updatedAt)
      service.process.kill('SIGTERM')
      assert.equal((await service.ended).code, 0)
    })
  }
})
