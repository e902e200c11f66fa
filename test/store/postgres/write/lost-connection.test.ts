import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fieldOf } from '../../../../src/queries/collection.ts'
import { parseQuery } from '../../../../src/queries/parse/parse-query.ts'
import type { Filter } from '../../../../src/queries/query.ts'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { performAlone, type Store, StoreUnavailable } from '../../../../src/store/port/store.ts'
import { untilReached } from '../../../../src/store/postgres/connect/recovered.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type BreakingProxy, breakingProxy } from '../../../support/database/breaking-proxy.ts'
import { importAllCustomers } from '../../../support/database/import-customers.ts'
import { freshDatabase } from '../../../support/database/postgres-database.ts'
import { whileBack } from '../../../support/database/while-back.ts'
import { intentTo, newCommandId } from '../../../support/deals/intents.ts'
import { collections, deal } from '../../../support/schema.ts'

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
    const outcome = await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
    assert.ok(outcome.kind === 'applied')
    return String(outcome.thing.id)
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    await pause(10)
    return create()
  }
}
const paid = async (id: string): Promise<unknown> => JSON.parse((await store.as(SERVICE).find(deal, id))?.json ?? '{}')

test(
  'a payment whose answer was lost is answered as it was done, and is not done again',
  whileBack(async () => {
    const id = await create()
    const broken = proxy.broken
    proxy.breakBehind('payment of the lost answer')
    const outcome = await performAlone(
      store,
      intentTo('record-payment', id, { amount: 7, reference: 'payment of the lost answer' }),
    )
    assert.equal(proxy.broken, broken + 1)
    assert.ok(outcome.kind === 'applied' && !outcome.replayed)
    assert.equal(outcome.thing.revision, 2)
    assert.partialDeepStrictEqual(await paid(id), { paid: 7, revision: 2 })
  }),
)

test(
  'a deal whose creation was lost is found, and is not made twice',
  whileBack(async () => {
    await create()
    const before = await countDeals()
    const broken = proxy.broken
    proxy.breakBehind('the lost creation')
    const outcome = await performAlone(store, intentTo('create', undefined, { name: 'the lost creation', price: 1 }))
    assert.equal(proxy.broken, broken + 1)
    assert.ok(outcome.kind === 'applied')
    assert.deepEqual(await store.as(SERVICE).find(deal, outcome.thing.id), { ...outcome.thing, previousAt: null })
    assert.equal(await countDeals(), before + 1)
  }),
)

test(
  'a command whose answer was lost has one effect and one answer',
  whileBack(async () => {
    const id = await create()
    const command = newCommandId()
    const pay = () =>
      performAlone(store, intentTo('record-payment', id, { amount: 3, reference: 'under a command' }, { command }))
    proxy.breakBehind('under a command')
    const first = await pay()
    await create()
    const second = await pay()
    assert.ok(first.kind === 'applied' && second.kind === 'applied')
    assert.deepEqual(second, { ...first, replayed: true })
    assert.partialDeepStrictEqual(await paid(id), { paid: 3, revision: 2 })
  }),
)

test(
  'forty payments at once on a connection that breaks are each done once',
  whileBack(async () => {
    const id = await create()
    proxy.breakBehind('the fortieth')
    const payments = Array.from({ length: 40 }, (_, n) =>
      performAlone(
        store,
        intentTo('record-payment', id, { amount: 1, reference: n === 39 ? 'the fortieth' : `payment ${n}` }),
      ),
    )
    const revisions = (await Promise.all(payments)).map((outcome) =>
      outcome.kind === 'applied' ? outcome.thing.revision : 0,
    )
    assert.equal(new Set(revisions).size, 40)
    assert.partialDeepStrictEqual(await paid(id), { paid: 40, revision: 41 })
  }),
)

test(
  'a read that was lost before anything was written is done again',
  whileBack(async () => {
    const id = await create()
    const broken = proxy.broken
    const command = newCommandId()
    proxy.breakBehind(command)
    const outcome = await performAlone(store, intentTo('record-payment', id, { amount: 3 }, { command }))
    assert.equal(proxy.broken, broken + 1)
    assert.ok(outcome.kind === 'applied' && !outcome.replayed)
  }),
)

test(
  'a command that is answered again takes no neighbour along when its event cannot be read',
  whileBack(async () => {
    const id = await create()
    const command = newCommandId()
    const again = () => performAlone(store, intentTo('record-payment', id, { amount: 3 }, { command }))
    await again()
    const broken = proxy.broken
    proxy.breakBefore('\0event of deal\0')
    const [replayed, paid] = await Promise.all([
      again(),
      performAlone(store, intentTo('record-payment', id, { amount: 4 })),
    ])
    assert.equal(proxy.broken, broken + 1)
    assert.ok(replayed.kind === 'applied' && replayed.replayed)
    assert.ok(paid.kind === 'applied' && !paid.replayed)
  }),
)

test('whoever is told to come back while connections break again and again has written nothing', async (t) => {
  const ids = [await create(), await create(), await create()]
  const commands = ids.map(() => newCommandId())
  const refused: string[] = []
  const done: string[] = []
  let working = true
  const writer = async (n: number): Promise<void> => {
    for (let turn = 0; working; turn++) {
      const at = (n + turn) % ids.length
      const reference = `${n}/${turn}`
      const isKnown = turn % 2 === 0
      const of = isKnown ? { command: commands[at] ?? '' } : {}
      const told = performAlone(
        store,
        intentTo('record-payment', ids[at] ?? '', { amount: 1, reference: isKnown ? 'known' : reference }, of),
      )
      try {
        await told
        if (!isKnown) done.push(reference)
      } catch (cause) {
        assert.ok(cause instanceof StoreUnavailable)
        if (!isKnown) refused.push(reference)
        await pause(5)
      }
    }
  }
  const writers = Array.from({ length: 24 }, (_, n) => writer(n))
  const someMore = async (): Promise<void> => {
    const enough = done.length + 24
    while (done.length < enough) await pause(5)
  }
  for (let cut = 0; cut < 8; cut++) {
    await someMore()
    proxy.breakAll()
  }
  await someMore()
  working = false
  await Promise.all(writers)
  await create()
  const written = new Set((await Promise.all(ids.map(references))).flat())
  t.diagnostic(`${done.length} done, ${refused.length} refused`)
  assert.deepEqual(
    done.filter((reference) => !written.has(reference)),
    [],
  )
  assert.deepEqual(
    refused.filter((reference) => written.has(reference)),
    [],
  )
})

test('who reads behind an outage waits for a silent connection no longer than for a new one', async () => {
  await assert.rejects(
    untilReached(() => new Promise(() => {})),
    StoreUnavailable,
  )
})

const countDeals = async (): Promise<number> => (await itemsOf('deals', [])).length

/** Of the payments of a deal. */
async function references(id: string): Promise<readonly string[]> {
  const entries = await itemsOf('history', [
    { field: fieldOf(collections.history, 'deal'), operator: 'eq', values: [id] },
  ])
  return entries.map((entry) => JSON.parse(entry).params.reference)
}

async function itemsOf(name: 'deals' | 'history', scope: Filter): Promise<readonly string[]> {
  const parsed = parseQuery(collections[name], '')
  assert.ok('query' in parsed)
  const batches = await Array.fromAsync(store.as(SERVICE).stream(collections[name], scope, parsed.query), (batch) =>
    Buffer.from(batch),
  )
  return Buffer.concat(batches).toString().split('\n').slice(0, -1)
}

test('an import goes on after a lost connection, and keeps and tells each row once', async () => {
  const before = proxy.broken
  for (const lost of ['imported beside a lost write', 'COMMIT']) {
    const source = async function* () {
      proxy.breakBehind(lost)
      yield [{ name: 'imported beside a lost write' }]
    }
    assert.equal((await importAllCustomers(store, source()))?.kept.inserted, 1, lost)
  }
  assert.equal(proxy.broken - before, 2)
  const parsed = parseQuery(collections.customers, 'name.starts=imported')
  assert.ok('query' in parsed)
  assert.equal(
    (await untilReached(() => store.as(SERVICE).page(collections.customers, [], parsed.query))).items.length,
    2,
  )
  const events = parseQuery(collections.events, 'type=customers.imported')
  assert.ok('query' in events)
  const told = () => untilReached(() => store.as(SERVICE).page(collections.events, [], events.query))
  let { items } = await told()
  // An event may come into the feed after its commit.
  while (items.length < 2) ({ items } = await told())
  const counts = { inserted: 1, updated: 0, unchanged: 0 }
  assert.deepEqual(
    items.map((item) => JSON.parse(item).data.counts),
    [counts, counts],
  )
})
