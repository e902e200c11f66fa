import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { deal } from '../../../../src/model/deal/deal.ts'
import { collections } from '../../../../src/queries/collections.ts'
import { parseQuery } from '../../../../src/queries/parse-query.ts'
import { type Store, StoreUnavailable } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type BreakingProxy, breakingProxy } from '../../../support/database/breaking-proxy.ts'
import { freshDatabase } from '../../../support/database/postgres-database.ts'
import { intentTo, newCommandId } from '../../../support/deals/intents.ts'

let proxy: BreakingProxy
let store: Store
before(async () => {
  proxy = await breakingProxy(await freshDatabase())
  store = await openPostgres({ url: proxy.url, currency: 'EUR' })
})
after(async () => {
  await store.close()
  await proxy.close()
})

/** Waits until the connection that a test before has broken is there again. */
const create = async (): Promise<string> => {
  try {
    const outcome = await store.perform(intentTo('create', undefined, { name: 'Roof', price: 1 }))
    assert.ok(outcome.kind === 'applied')
    return String(outcome.thing.id)
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    await pause(10)
    return create()
  }
}
const paid = async (id: string): Promise<unknown> => JSON.parse((await store.find(deal, id))?.json ?? '{}')

test('a payment whose answer was lost is answered as it was done, and is not done again', async () => {
  const id = await create()
  proxy.breakBehind('payment of the lost answer')
  const outcome = await store.perform(
    intentTo('record-payment', id, { amount: 7, reference: 'payment of the lost answer' }),
  )
  assert.equal(proxy.broken, 1)
  assert.ok(outcome.kind === 'applied' && !outcome.replayed)
  assert.equal(outcome.thing.revision, 2)
  assert.partialDeepStrictEqual(await paid(id), { paid: 7, revision: 2 })
})

test('a deal whose creation was lost is found, and is not made twice', async () => {
  await create()
  const before = await countDeals()
  proxy.breakBehind('the lost creation')
  const outcome = await store.perform(intentTo('create', undefined, { name: 'the lost creation', price: 1 }))
  assert.equal(proxy.broken, 2)
  assert.ok(outcome.kind === 'applied')
  assert.deepEqual(await store.find(deal, outcome.thing.id), { ...outcome.thing, previousAt: null })
  assert.equal(await countDeals(), before + 1)
})

test('a command whose answer was lost has one effect and one answer', async () => {
  const id = await create()
  const command = newCommandId()
  const pay = () =>
    store.perform(intentTo('record-payment', id, { amount: 3, reference: 'under a command' }, { command }))
  proxy.breakBehind('under a command')
  const first = await pay()
  await create()
  const second = await pay()
  assert.ok(first.kind === 'applied' && second.kind === 'applied')
  assert.deepEqual(second, { ...first, replayed: true })
  assert.partialDeepStrictEqual(await paid(id), { paid: 3, revision: 2 })
})

test('forty payments at once on a connection that breaks are each done once', async () => {
  const id = await create()
  proxy.breakBehind('the fortieth')
  const payments = Array.from({ length: 40 }, (_, n) =>
    store.perform(intentTo('record-payment', id, { amount: 1, reference: n === 39 ? 'the fortieth' : `payment ${n}` })),
  )
  const revisions = (await Promise.all(payments)).map((outcome) =>
    outcome.kind === 'applied' ? outcome.thing.revision : 0,
  )
  assert.equal(new Set(revisions).size, 40)
  assert.partialDeepStrictEqual(await paid(id), { paid: 40, revision: 41 })
})

test('a read that was lost before anything was written is done again', async () => {
  const id = await create()
  const broken = proxy.broken
  const command = newCommandId()
  proxy.breakBehind(command)
  const outcome = await store.perform(intentTo('record-payment', id, { amount: 3 }, { command }))
  assert.equal(proxy.broken, broken + 1)
  assert.ok(outcome.kind === 'applied' && !outcome.replayed)
})

async function countDeals(): Promise<number> {
  const parsed = parseQuery(collections.deals, 'maxpagesize=1000')
  assert.ok('query' in parsed)
  return (await store.page('deals', [], parsed.query)).items.length
}
