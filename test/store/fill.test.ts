import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { demoContent } from '../../src/demo/content.ts'
import { openMaintenance, openStore, openTransfer } from '../../src/store/open.ts'
import type { InitialContent } from '../../src/store/port/maintenance.ts'
import { performAlone } from '../../src/store/port/store.ts'
import { transferTables } from '../../src/store/port/transfer.ts'
import { copyDatabase } from '../../src/store/transactions/copy-database.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { schema } from '../support/schema.ts'

const fill = async ({ url }: OwnDatabase, content: InitialContent): Promise<'filled' | 'not empty'> =>
  (await openMaintenance({ databaseUrl: url }, { mustExist: false })).fill(content)

async function nextCustomer({ url }: OwnDatabase): Promise<unknown> {
  const store = await openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))
  const made = await performAlone(store, intentTo('create', undefined, { name: 'Ana' }, { resource: 'customer' }))
  await store.close()
  assert.ok(made.kind === 'applied')
  return made.thing.id
}

/** Every table but the places in the feed, which differ. */
async function everything({ url }: OwnDatabase): Promise<unknown> {
  const transfer = await openTransfer(url, 'out')
  const tables: unknown[] = []
  for (const table of transferTables(schema)) {
    const columns = (await transfer.columns(table)).filter((column) => column !== table.place)
    if (columns.length === 0) continue
    tables.push([table.name, columns.toSorted(), await Array.fromAsync(transfer.rows(table, columns.toSorted()))])
  }
  await transfer.close()
  return tables
}

/** One customer, whose number is larger than 32 bits hold. */
const BEYOND = 5_000_000_000

function farCustomer(): InitialContent {
  const [{ resource, things } = assert.fail()] = demoContent(schema).things
  return {
    things: [{ resource, things: things.slice(0, 1).map((each) => ({ ...each, id: BEYOND })) }],
    events: [],
    commands: [],
  }
}

suite('an empty database', () => {
  test('is filled with the same on both stores, in the same order, and counts on', async () => {
    const [one, other] = [ownSqlite(), await ownPostgres()]
    for (const each of [one, other]) assert.equal(await fill(each, demoContent(schema)), 'filled')
    assert.deepEqual(await everything(other), await everything(one))
    for (const each of [one, other]) {
      assert.equal(await nextCustomer(each), 1001)
      assert.equal(await fill(each, demoContent(schema)), 'not empty')
    }
    one.remove()
  })

  test('goes on behind the highest number of another that is copied into it, however high', async () => {
    const [one, other] = [ownSqlite(), await ownPostgres()]
    await fill(one, farCustomer())
    const [source, target] = [await openTransfer(one.url, 'out'), await openTransfer(other.url, 'in')]
    try {
      assert.ok('copied' in (await copyDatabase(source, target, () => {})))
    } finally {
      await source.close()
      await target.close()
    }
    for (const each of [one, other]) assert.equal(await nextCustomer(each), BEYOND + 1)
    one.remove()
  })
})
