import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { intentTo } from '../../../support/deals/intents.ts'
import { deal } from '../../../support/schema.ts'

let database: OwnDatabase
let store: Store
let other: Store
before(async () => {
  database = await ownPostgres('ready')
  store = await openPostgres({ url: database.url, currency: 'EUR' })
  other = await openPostgres({ url: database.url, currency: 'EUR' })
})
after(async () => {
  await Promise.all([store.close(), other.close()])
})

test('a state of this moment is read when the writes that were decided before it are committed, on any instance', async () => {
  const made = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
  assert.ok(made.kind === 'applied')
  const { id } = made.thing
  const foreign = new pg.Client(database.url)
  await foreign.connect()
  await foreign.query('BEGIN')
  await foreign.query('SELECT FROM deals WHERE id = $1 FOR UPDATE', [id])
  const holding = performAlone(store, intentTo('hold', String(id), { reason: 'x' }))
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  while ((await foreign.query(waiting)).rowCount === 0) await pause(1)
  const asOf = new Date().toISOString()
  const revisionThen = async (): Promise<number | undefined> => {
    const past = await other.as(SERVICE).past(deal, id, { asOf })
    return 'thing' in past ? past.thing.revision : undefined
  }
  const reading = revisionThen()
  for (let reads = 0; reads < 5; reads++) await other.as(SERVICE).find(deal, id)
  await foreign.query('COMMIT')
  await foreign.end()
  const [read, held] = await Promise.all([reading, holding])
  assert.equal(held.kind, 'applied')
  assert.equal(read, await revisionThen())
})
