import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Intent } from '../../src/model/intent/intent.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { examineDatabase, openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { type Outcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases, ownPostgres } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'

// The values of a retired field go with a purge, wherever they are.

const asked = (resource: string, action: string, params: object, target?: unknown, command?: string): Intent => ({
  ...intentTo('hold', '', {}, command === undefined ? {} : { command }),
  ...{ resource, target, change: { action, params } },
})

const idOf = (outcome: Outcome): string => {
  assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
  return String(outcome.thing.id)
}

/** More than a step takes. */
const DEALS = 450

for (const [engine, ownDatabase] of ownDatabases) {
  describe(`a retired field, on ${engine}`, () => {
    let database: OwnDatabase
    let store: Store
    const done = (intent: Intent) => performAlone(store, intent)
    const retired = new Map<string, string>()
    let deal = ''
    let plain = ''
    const purged = async (dryRun: boolean) => {
      const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
      const soon = new Date(Date.now() + 60_000).toISOString()
      return (await Array.fromAsync(maintenance.purge(soon, { dryRun }))).filter(({ resource }) => resource === 'field')
    }
    const everything = async () => {
      const tables = [
        ['deals', 'own, doc, folded'],
        ['customers', 'own, doc, folded'],
        ['deals_own', 'field, value'],
        ['customers_own', 'field, value'],
        ['events', 'doc, params'],
        ['commands', 'params, doc, named'],
      ] as const
      const where = `resource <> 'field'`
      const rows = await Promise.all(
        tables.map(([table, columns]) =>
          database.rows(
            `SELECT ${columns} FROM ${table} ${table === 'events' || table === 'commands' ? `WHERE ${where}` : ''}`,
          ),
        ),
      )
      return JSON.stringify(rows)
    }

    before(async () => {
      database = await ownDatabase()
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(String(cause)))
      for (const field of [
        { on: 'deal', name: 'secret', kind: 'text', unique: true, searched: true },
        { on: 'deal', name: 'rest', kind: 'text', indexed: true },
        { on: 'customer', name: 'secret', kind: 'text' },
      ]) {
        const id = idOf(await done(asked('field', 'create', { ...field, title: 'T' })))
        if (field.name === 'secret') retired.set(field.on, id)
      }
      const own = { secret: 'Sécret-1', rest: 'kept' }
      deal = idOf(await done(asked('deal', 'CreateDeal', { name: 'Deal', price: 1, own }, undefined, 'made-1')))
      const further = Array.from({ length: DEALS }, (_, n) =>
        asked('deal', 'CreateDeal', { name: `Deal ${n}`, price: 1, own: { secret: `Sécret-of-${n}` } }),
      )
      assert.ok((await store.perform({ intents: further, atomic: true, dryRun: false, linked: false })).isKept)
      plain = idOf(await done(asked('deal', 'CreateDeal', { name: 'Plain', price: 1 })))
      for (const [params, command] of [
        [{ own: { secret: 'Sécret-2' } }, 'set-1'],
        [{ own: { secret: 'Sécret-3', rest: 'changed' } }, 'set-2'],
      ] as const)
        idOf(await done(asked('deal', 'set-fields', params, deal, command)))
      idOf(await done(asked('deal', 'rename', { newName: 'Named by it' }, { 'own.secret': 'Sécret-3' }, 'named-1')))
      idOf(await done(asked('customer', 'CreateCustomer', { name: 'Ana', own: { secret: 'Sécret-4' } })))
      for (const id of retired.values()) idOf(await done(asked('field', 'retire', {}, id)))
      idOf(await done(asked('deal', 'rename', { newName: 'Renamed' }, deal)))
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    test('and the others have the indexes that an examination expects', async () => {
      const states = async () => {
        const { findings } = await examineDatabase({ databaseUrl: database.url }, { isThorough: true })
        return findings.filter(({ about }) => about === 'indexes').map(({ state }) => state)
      }
      assert.deepEqual(await states(), ['ok'])
      const kept = `field = 'rest'`
      for (const [wrong, right] of [
        [`UPDATE deals_own SET value = 'other' WHERE ${kept}`, `UPDATE deals_own SET value = 'changed' WHERE ${kept}`],
        [
          `UPDATE deals_own SET field = 'rset' WHERE ${kept}`,
          `UPDATE deals_own SET field = 'rest' WHERE field = 'rset'`,
        ],
      ] as const) {
        await database.rows(wrong)
        assert.deepEqual(await states(), ['fault'], wrong)
        await database.rows(right)
        assert.deepEqual(await states(), ['ok'])
      }
    })

    test('is listed first, and loses its values in things, indexes, history and commands', async () => {
      const ids = [...retired.values()].toSorted()
      const would = await purged(true)
      assert.deepEqual(would.flatMap((each) => each.ids).toSorted(), ids)
      assert.match(await everything(), /Sécret-4/)
      const { version } = store.as(SERVICE).schema
      assert.deepEqual(await purged(false), would)
      // A tag contains the version: the fields have another state now.
      await store.schemas.catchUp()
      const { schema } = store.as(SERVICE)
      assert.equal(schema.version, version + retired.size)
      assert.equal(schema.fields.filter(({ state }) => state === 'purged').length, retired.size)
      const left = await everything()
      assert.doesNotMatch(left, /s[ée]cret/i)
      assert.match(left, /changed/)
      assert.deepEqual(await purged(false), [])
    })

    test('leaves the history and the other values as they were', async () => {
      const { schema } = store.as(SERVICE)
      const deals = resourceNamed(schema, 'deal')
      const found = await store.as(SERVICE).find(deals, deal)
      assert.partialDeepStrictEqual(JSON.parse(found?.json ?? ''), { name: 'Renamed', own: { rest: 'changed' } })
      for (const [revision, rest] of [
        [1, 'kept'],
        [2, 'kept'],
        [3, 'changed'],
        [5, 'changed'],
      ] as const) {
        const past = await store.as(SERVICE).past(deals, deal, { revision })
        assert.ok('thing' in past)
        assert.deepEqual(JSON.parse(past.thing.json).own, { rest }, String(revision))
      }
      const other = JSON.parse((await store.as(SERVICE).find(deals, plain))?.json ?? '')
      assert.deepEqual(other.own, { rest: null })
      idOf(await done(asked('deal', 'set-fields', { own: { rest: 'again' } }, deal)))
      const rows = await database.rows(`SELECT field, value FROM deals_own`)
      assert.deepEqual(
        rows.map(({ field, value }) => [field, value]),
        [['rest', 'again']],
      )
    })

    test('cannot be restored, and its name is not used again', async () => {
      const restored = await done(asked('field', 'restore', {}, retired.get('deal')))
      const reason = { code: 'field-retired-long-ago' }
      assert.partialDeepStrictEqual(restored, { refusal: { code: 'wrong-state', reason } })
      const again = await done(asked('field', 'create', { on: 'deal', name: 'secret', title: 'T', kind: 'text' }))
      assert.partialDeepStrictEqual(again, { refusal: { code: 'name-taken' } })
      const [doc] = await database.rows(`SELECT doc FROM fields WHERE id = '${retired.get('deal')}'`)
      assert.equal(JSON.parse(String(doc?.doc)).state, 'purged')
    })
  })
}

test('on PostgreSQL, a purge keeps what an import writes meanwhile', async (t) => {
  const database = await ownPostgres()
  const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(String(cause)))
  const importing = new pg.Client({ connectionString: database.url })
  t.after(async () => {
    await Promise.all([store.close(), importing.end()])
    database.remove()
  })
  const done = async (intent: Intent) => idOf(await performAlone(store, intent))
  const field = await done(asked('field', 'create', { on: 'customer', name: 'secret', kind: 'text', title: 'T' }))
  const ana = await done(asked('customer', 'CreateCustomer', { name: 'Ana', own: { secret: 'Sécret' } }))
  await done(asked('field', 'retire', {}, field))
  // As an import does: it locks the table, not its rows, and reads before it writes.
  await importing.connect()
  await importing.query('BEGIN')
  await importing.query('LOCK TABLE customers IN SHARE ROW EXCLUSIVE MODE')
  await importing.query(
    `UPDATE customers SET name = 'Anna', revision = 2, doc = replace(replace(doc, 'Ana', 'Anna'), '"revision":1', '"revision":2')`,
  )
  const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
  const soon = new Date(Date.now() + 60_000).toISOString()
  const purging = Array.fromAsync(maintenance.purge(soon, { dryRun: false }))
  const waiting = `SELECT FROM pg_locks WHERE relation = 'customers'::regclass AND NOT granted`
  for (let waits = 0; waits === 0; ) waits = (await importing.query(waiting)).rows.length
  await importing.query('COMMIT')
  await purging
  const { schema } = store.as(SERVICE)
  const found = await store.as(SERVICE).find(resourceNamed(schema, 'customer'), Number(ana))
  assert.partialDeepStrictEqual(JSON.parse(found?.json ?? ''), { name: 'Anna', revision: 2 })
  assert.deepEqual(await database.rows('SELECT own FROM customers'), [{ own: null }])
})
