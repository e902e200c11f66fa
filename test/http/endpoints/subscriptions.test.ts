import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { pauseAfter, retryPauses } from '../../../src/model/nouns/webhook/schedule.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { schema } from '../../support/schema.ts'
import { type Receiver, runReceiver } from '../../support/webhooks/receiver.ts'
import { runWebhookService, type WebhookService } from '../../support/webhooks/webhook-service.ts'

const endpoints = endpointsOf(schema)

let service: WebhookService
let receiver: Receiver
before(async () => {
  service = await runWebhookService()
  receiver = await runReceiver()
})
after(async () => {
  await service.close()
  await receiver.close()
})

const json = async (response: Response) => (await response.json()) as Record<string, unknown>

test('a secret is shown once, when it is made', async () => {
  const response = await service.send('POST', '/webhooks', { url: receiver.url, types: ['deal.held', 'deal.held'] })
  assert.equal(response.status, 201)
  const created = await json(response)
  const { secret, ...shown } = created
  assert.match(String(secret), /^whsec_/)
  assert.equal(response.headers.get('location'), `/webhooks/${created.id}`)
  const read = await service.send('GET', `/webhooks/${created.id}`)
  assert.deepEqual(await json(read), shown)
  assert.equal(read.headers.get('etag'), response.headers.get('etag'))
  assert.deepEqual([shown.types, shown.status, shown.revision], [['deal.held'], 'active', 1])
  for (const suffix of ['', '.json', '.xml', '.html', '.csv', '.ndjson']) {
    const list = await service.send('GET', `/webhooks${suffix}`)
    assert.equal(list.status, 200)
    const text = await list.text()
    assert.match(text, new RegExp(String(created.id)))
    assert.doesNotMatch(text, /whsec_/)
  }
})

testOnEachStore('a removal and a rotation are guarded by the revision', async () => {
  const { id } = await service.subscribe(receiver.url)
  const tag = (await service.send('GET', `/webhooks/${id}`)).headers.get('etag') ?? ''
  assert.equal((await service.send('POST', `/webhooks/${id}/rotations`, {}, { 'if-match': tag })).status, 200)
  assert.equal((await service.send('DELETE', `/webhooks/${id}`, undefined, { 'if-match': tag })).status, 412)
  const wrong = (at: unknown, headers = {}) =>
    service.send('POST', `/webhooks/${at}/rotations`, { overlap: 'x' }, headers)
  assert.equal((await wrong(id, { 'if-match': tag })).status, 412, 'not 422')
  assert.equal((await wrong(randomUUID())).status, 404, 'not 422')
  const shown = await json(await service.send('GET', `/webhooks/${id}`))
  assert.equal(shown.revision, 2)
  assert.match(String(shown.previousSecretUntil), /^20/)
  assert.equal((await service.send('DELETE', `/webhooks/${id}`)).status, 204)
  assert.equal((await service.send('DELETE', `/webhooks/${id}`)).status, 404)
})

test('webhooks of one millisecond are listed in the order of their creation', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const made: unknown[] = []
  for (let nth = 0; nth < 8; nth++) made.push((await service.subscribe(receiver.url)).id)
  const { items } = (await json(await service.send('GET', '/webhooks?limit=100'))) as { items: { id: string }[] }
  assert.deepEqual(
    items.map(({ id }) => id).filter((id) => made.includes(id)),
    made,
  )
})

testOnEachStore('a dry run subscribes to nothing and removes nothing', async () => {
  const count = async () => (await json(await service.send('GET', '/webhooks?count=exact'))).total
  const before = await count()
  const dry = await service.send('POST', '/webhooks?dry-run=true', { url: receiver.url })
  assert.equal(dry.status, 200)
  assert.equal(Object.hasOwn(await json(dry), 'secret'), false)
  assert.equal(await count(), before)
  const { id } = await service.subscribe(receiver.url)
  assert.equal((await service.send('DELETE', `/webhooks/${id}?dry-run=true`)).status, 200)
  assert.equal((await service.send('GET', `/webhooks/${id}`)).status, 200)
})

test('who wants no body gets none, but for a secret that is shown once', async () => {
  const minimal = { prefer: 'return=minimal' }
  const response = await service.send('POST', '/webhooks', { url: receiver.url }, minimal)
  assert.equal(response.status, 201)
  const made = await json(response)
  assert.match(String(made.secret), /^whsec_/)
  const removed = await service.send('DELETE', `/webhooks/${made.id}`, undefined, minimal)
  assert.deepEqual([removed.status, removed.headers.get('preference-applied')], [204, 'return=minimal'])
})

test('what is wrong with a subscription is told with its place', async () => {
  const wrong: readonly [unknown, string][] = [
    [{}, '/url'],
    [{ url: 7 }, '/url'],
    [{ url: receiver.url, types: [] }, '/types'],
    [{ url: receiver.url, types: ['deal.eaten'] }, '/types'],
    [{ url: receiver.url, types: 'deal.held' }, '/types'],
    [{ url: receiver.url, secret: 'mine' }, '/secret'],
  ]
  for (const [body, pointer] of wrong) {
    const response = await service.send('POST', '/webhooks', body)
    assert.equal(response.status, 422)
    const { errors } = (await response.json()) as { errors: { pointer: string }[] }
    assert.deepEqual(
      errors.map((each) => each.pointer),
      [pointer],
    )
  }
  const keyed = await service.send('POST', '/webhooks', { url: receiver.url }, { 'idempotency-key': 'k' })
  assert.equal(keyed.status, 400)
})

test('a page subscribes, removes and delivers once more without a script', async () => {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(service.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html' },
      body: new URLSearchParams(fields),
    })
  const made = await post('/webhooks', { url: receiver.url, types: 'deal.created, deal.held' })
  assert.equal(made.status, 201)
  const id = made.headers.get('location')?.split('/').at(-1) ?? ''
  assert.match(await made.text(), /whsec_/)
  await service.createDeal()
  await receiver.until((received) => received.length > 0)
  while ((await service.deliveries(id))[0]?.status !== 'delivered') await new Promise((done) => setTimeout(done, 10))
  const page = await service.send('GET', `/webhooks/${id}/deliveries/1`, undefined, { accept: 'text/html' })
  assert.match(await page.text(), /redeliveries/)
  const again = await post(`/webhooks/${id}/deliveries/1/redeliveries`, {})
  assert.equal(again.status, 303)
  const gone = await post(`/webhooks/${id}/removals`, {})
  assert.deepEqual([gone.status, gone.headers.get('location')], [303, '/webhooks'])
})

testOnEachStore('deliveries are a collection like every other', async () => {
  const { id } = await service.subscribe(receiver.url)
  for (let n = 0; n < 5; n++) await service.createDeal()
  while ((await service.deliveries(id, '?status=delivered')).length < 5)
    await new Promise((done) => setTimeout(done, 10))
  const page = await json(await service.send('GET', `/webhooks/${id}/deliveries?maxpagesize=2&sort=-number`))
  const items = page.items as { number: number }[]
  assert.deepEqual(
    items.map(({ number }) => number),
    [5, 4],
  )
  const filtered = await service.deliveries(id, '?attempts=1&responseStatus.gte=200&number.lte=2')
  assert.equal(filtered.length, 2)
  for (const suffix of ['xml', 'html', 'csv', 'ndjson']) {
    assert.equal((await service.send('GET', `/webhooks/${id}/deliveries.${suffix}`)).status, 200)
  }
})

testOnEachStore('a webhook is called about a resource, or about everything', async () => {
  const ofCustomers = await service.subscribe(receiver.url, ['customer.*', 'deal.held'])
  const ofDeals = await service.subscribe(receiver.url, ['deal.*'])
  const ofAll = await service.subscribe(receiver.url)
  const deal = await service.createDeal()
  const customer = await json(await service.send('POST', '/customers', { name: 'Ana' }))
  await service.send('DELETE', `/customers/${customer.id}`)
  const delivered = async (id: string, count: number) => {
    while ((await service.deliveries(id, '?status=delivered')).length < count)
      await new Promise((done) => setTimeout(done, 10))
    return (await service.deliveries(id)).map(({ type, subject, deal }) => [type, subject, deal])
  }
  const about = String(customer.id)
  const customers = [
    ['customer.created', about, null],
    ['customer.deleted', about, null],
  ]
  assert.deepEqual(await delivered(ofCustomers.id, 2), customers)
  assert.deepEqual(await delivered(ofAll.id, 3), [['deal.created', deal, deal], ...customers])
  assert.deepEqual(await delivered(ofDeals.id, 1), [['deal.created', deal, deal]])
  const numbers = async (query: string) => (await service.deliveries(ofAll.id, query)).map(({ number }) => number)
  assert.deepEqual(await numbers(`?deal=${deal}`), [1])
  assert.deepEqual(await numbers('?deal.null=true'), [2, 3])
  assert.deepEqual(await numbers(`?subject=${about}`), [2, 3])
})

test('only an administrator has to do with webhooks', () => {
  const about = endpoints.filter(({ path }) => path.startsWith('/webhooks'))
  assert.ok(about.length >= 9)
  assert.ok(about.every(({ role }) => role === 'admin'))
})

test('the schedule is that of the contract, with a tenth of chance', () => {
  const minute = 60_000
  const soon = [1000, 5000, 30_000, 2 * minute, 10 * minute, 60 * minute]
  assert.deepEqual(retryPauses.slice(0, 6), soon)
  const rest = retryPauses.slice(6)
  assert.ok(rest.every((pause) => pause === 360 * minute))
  assert.equal(
    rest.reduce((sum, pause) => sum + pause, 0),
    3 * 24 * 60 * minute,
  )
  assert.equal(pauseAfter(1, 0), 1000)
  assert.equal(pauseAfter(1, 1), 1100)
  assert.equal(pauseAfter(retryPauses.length + 1, 0), undefined)
})
