import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { performAlone } from '../../../src/store/port/store.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
  // Sockets and code are warm when the race begins, so that all runners start at once.
  const deal = await openDeal(service)
  await atOnce(80, () => service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text: 'warming up' } }))
})
after(() => service.close())

const atOnce = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

const counted = (values: readonly unknown[]): object =>
  Object.fromEntries(
    Map.groupBy(values, String)
      .entries()
      .map(([value, all]) => [value, all.length]),
  )

test('60 copies of one command at once have one effect, one 201 and equal answers', async () => {
  const deal = await openDeal(service)
  const body = { deal: deal.id, action: 'RecordDealPayment', params: { amount: 12.5 } }
  const answers = await atOnce(60, () => service.request('PUT', '/rest/commands/sixty', { body }))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 59, 201: 1 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
  assert.equal(replayed.length, 59)
  const { body: now } = await service.request('GET', `${DEALS}/${deal.id}`)
  assert.partialDeepStrictEqual(now, { paid: 12.5, revision: 2 })
})

test('60 copies of one creation under one key make one deal', async () => {
  const headers = { 'idempotency-key': 'sixty-deals' }
  const body = { name: 'Once', price: 1 }
  const answers = await atOnce(60, () => service.request('POST', DEALS, { body, headers }))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 201: 60 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
})

test('one id for 30 different commands at once is given to one of them', async () => {
  const deal = await openDeal(service)
  const answers = await atOnce(30, (n) =>
    service.request('PUT', `${DEALS}/${deal.id}/commands/contended`, {
      body: { action: 'add-note', params: { text: `${n}` } },
    }),
  )
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 201: 1, 409: 29 })
  assert.equal((await service.request('GET', `${DEALS}/${deal.id}`)).body.revision, 2)
})

test('80 payments on one deal at once are all accepted, and none is lost', async () => {
  const deal = await openDeal(service)
  const { changes } = { ...service.store.counts }
  const answers = await atOnce(80, (n) =>
    service.request('POST', `${DEALS}/${deal.id}/payments`, { body: { amount: 0.1, reference: `payment ${n}` } }),
  )
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 201: 80 })
  assert.equal(service.store.counts.changes - changes, 80)
  const { body } = await service.request('GET', `${DEALS}/${deal.id}`)
  assert.partialDeepStrictEqual(body, { paid: 8, revision: 81 })
  const references = await atOnce(80, async (n) => {
    const entry = await service.request('GET', `${DEALS}/${deal.id}/payments/${n + 2}`)
    return (entry.body.params as { readonly reference: string }).reference
  })
  assert.equal(new Set(references).size, 80)
  assert.equal(new Set(answers.map(({ headers }) => headers.location)).size, 80)
})

test('80 payments that the store is asked for in one moment take a handful of commits', async () => {
  const { id } = await openDeal(service)
  const { commits, changes } = { ...service.store.counts }
  const outcomes = await atOnce(80, () => performAlone(service.store, intentTo('record-payment', id, { amount: 0.1 })))
  assert.deepEqual(counted(outcomes.map(({ kind }) => kind)), { applied: 80 })
  assert.equal(service.store.counts.changes - changes, 80)
  const used = service.store.counts.commits - commits
  assert.ok(used <= 16, `a handful of commits, not ${used}`)
})

test('of 50 writers with one tag one wins and 49 are told the current one', async () => {
  const deal = await openDeal(service)
  const path = `${DEALS}/${deal.id}`
  const { headers } = await service.request('GET', path)
  const ifMatch = { 'if-match': String(headers.etag) }
  const answers = await atOnce(50, (n) => service.request('PUT', path, { body: { price: n + 1 }, headers: ifMatch }))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 1, 412: 49 })
  const winner = answers.find(({ status }) => status === 200)
  const now = await service.request('GET', path)
  assert.equal(now.text, winner?.text)
  assert.equal(now.body.revision, 2)
  for (const { status, headers } of answers) if (status === 412) assert.equal(headers.etag, now.headers.etag)
})

test('updates through a filter at once, without a precondition, all take effect on the rows that match then', async () => {
  const { id } = await openDeal(service)
  const patch = (query: string, body: object) =>
    service.request('PATCH', `/postgrest/deals?id=eq.${id}${query}`, { body, headers: { prefer: 'count=exact' } })
  for (const query of ['', '&status=eq.open', '&price=gte.0']) {
    const answers = await atOnce(10, (price) => patch(query, { price }))
    assert.deepEqual(counted(answers.map(({ status }) => status)), { 204: 10 }, query)
  }
  const taken = await atOnce(20, (index) => patch('&owner=is.null', { owner: `u${index}` }))
  assert.deepEqual(counted(taken.map(({ status }) => status)), { 204: 20 })
  assert.deepEqual(counted(taken.map(({ headers }) => headers['content-range'])), { '*/0': 19, '0-0/1': 1 })
})
