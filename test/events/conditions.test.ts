import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite } from 'node:test'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { answering, type Receiver, runReceiver } from '../support/webhooks/receiver.ts'
import { runWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts'

let service: WebhookService
let receiver: Receiver
before(async () => {
  service = await runWebhookService()
})
after(() => service.close())
beforeEach(async () => {
  receiver = await runReceiver()
})
afterEach(() => receiver.close())

type Body = { readonly [name: string]: unknown }

async function asked(method: string, path: string, body?: unknown): Promise<Body & { readonly statusCode: number }> {
  const response = await service.send(method, path, body)
  const text = await response.text()
  return { ...(text === '' ? {} : (JSON.parse(text) as Body)), statusCode: response.status }
}

const subscribe = (members: Body) => asked('POST', '/webhooks', { url: receiver.url, ...members })
const deal = async (members: Body): Promise<string> =>
  String((await asked('POST', '/rest/v1/deals/', { name: 'Alpha', price: 10, ...members })).id)
const does = (id: string, operation: string, params: Body = {}) =>
  asked('PUT', `/rest/v1/deals/${id}/${operation}`, params)

/** Deals are told apart: only events of one come in order, so these are sorted as in the feed. */
async function isTold(...expected: readonly string[]): Promise<void> {
  await receiver.until(({ length }) => length >= expected.length)
  const events = receiver.received.map(({ body }) => JSON.parse(body) as Told)
  const words = events
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
    .map(({ type, data }) => `${type.slice(type.indexOf('.') + 1)} ${data.deal.name}`)
  assert.deepEqual(words, expected)
}

interface Told {
  readonly type: string
  readonly sequence: string
  readonly data: { readonly deal: { readonly name: string } }
}

suite('a webhook with a condition', () => {
  testOnEachStore(
    'gets only events of things that match after the change, and deletions of those that did',
    async () => {
      const hook = await subscribe({ types: ['deal.*'], where: 'price.gte=100&name.ne=Hidden' })
      assert.equal(hook.where, 'price.gte=100&name.ne=Hidden')
      const small = await deal({ name: 'small', price: 1 })
      const large = await deal({ name: 'large', price: 200 })
      await deal({ name: 'Hidden', price: 500 })
      await does(small, 'change-price', { newPrice: 150, reason: 'more' })
      await does(large, 'change-price', { newPrice: 50, reason: 'less' })
      await does(large, 'hold', { reason: 'wait' })
      await asked('DELETE', `/rest/v1/deals/${small}`)
      await does(small, 'restore')
      await deal({ name: 'end', price: 100 })
      await isTold('created large', 'price-changed small', 'deleted small', 'restored small', 'created end')
      await service.unsubscribe(String(hook.id))
    },
  )

  testOnEachStore(
    'gets only events that changed one of its fields; creations change all that are not null',
    async () => {
      const hook = await subscribe({ types: ['deal.*'], changed: ['stage', 'owner'] })
      const id = await deal({ name: 'A', stage: 'lead' })
      await does(id, 'rename', { newName: 'B' })
      await does(id, 'move', { stage: 'lead' })
      await does(id, 'move', { stage: 'proposal' })
      await does(id, 'assign', { owner: 'mila' })
      await asked('DELETE', `/rest/v1/deals/${id}`)
      await deal({ name: 'end' })
      await isTold('created A', 'moved B', 'assigned B', 'deleted B', 'created end')
      await service.unsubscribe(String(hook.id))
    },
  )

  testOnEachStore('judges a removed thing by what it was', async () => {
    const hook = await subscribe({ types: ['customer.*'], where: 'country=DE', changed: ['country'] })
    const [there, gone] = await Promise.all(
      ['DE', 'FR'].map(async (country) => (await asked('POST', '/customers', { name: country, country })).id),
    )
    await asked('DELETE', `/customers/${gone}`)
    await asked('DELETE', `/customers/${there}`)
    await receiver.until((received) => received.length === 2)
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    assert.deepEqual(types, ['customer.created', 'customer.deleted'])
    await service.unsubscribe(String(hook.id))
  })
})

suite('a webhook can be changed', () => {
  testOnEachStore('and paused: what happens meanwhile is sent later, as the conditions then say', async () => {
    const hook = await subscribe({ types: ['deal.created'] })
    const self = `/webhooks/${String(hook.id)}`
    const paused = await asked('PATCH', self, { paused: true })
    assert.deepEqual([paused.statusCode, paused.paused, paused.revision, paused.secret], [200, true, 2, undefined])
    await deal({ name: 'one', price: 1 })
    const two = await deal({ name: 'two', price: 2 })
    await does(two, 'hold', { reason: 'wait' })
    const other = await subscribe({ types: ['deal.created'], url: `${receiver.url}/other` })
    await deal({ name: 'three', price: 3 })
    await isTold('created three')
    const again = await asked('PATCH', self, { paused: false, types: ['deal.*'], where: 'price.gte=2' })
    assert.deepEqual([again.statusCode, again.revision], [200, 3])
    await isTold('created two', 'held two', 'created three', 'created three')
    for (const { id } of [hook, other]) await service.unsubscribe(String(id))
  })

  test('but not without a difference, nor once it has ended', async () => {
    const hook = await subscribe({ types: ['deal.held'] })
    const self = `/webhooks/${String(hook.id)}`
    assert.equal((await asked('PATCH', self, { types: ['deal.held'] })).revision, 1)
    const cleared = await asked('PATCH', self, { types: null })
    assert.deepEqual([cleared.types, cleared.revision], [null, 2])
    receiver.answer = answering(410)
    await deal({ name: 'end' })
    await receiver.until((received) => received.length === 1)
    await service.settled(String(hook.id), ({ status }) => status !== 'pending')
    const ended = await asked('PATCH', self, { paused: true })
    assert.deepEqual([ended.statusCode, ended.code], [409, 'webhook-ended'])
    await service.unsubscribe(String(hook.id))
  })

  test('with conditions that can be judged about one thing alone', async () => {
    const faultsOf = async (members: Body) => {
      const { statusCode, errors } = await subscribe(members)
      assert.equal(statusCode, 422)
      return (errors as readonly { readonly pointer: string; readonly detail: string }[]).map(
        ({ pointer, detail }) => `${pointer} ${detail}`,
      )
    }
    const types = ['deal.*']
    assert.deepEqual(await faultsOf({ where: 'price=1', changed: ['stage'] }), [
      '/where goes with types of one resource, such as deal.*',
      '/changed goes with types of one resource, such as deal.*',
    ])
    assert.equal((await faultsOf({ types: ['deal.*', 'task.done'], where: 'price=1' })).length, 1)
    assert.equal((await faultsOf({ types: ['customers.imported'], where: 'age=1' })).length, 1)
    assert.deepEqual(await faultsOf({ types, where: 'customer.name=A' }), [
      '/where looks at customer.name, which is not part of the thing itself',
    ])
    assert.equal((await faultsOf({ types, where: 'q=anna' })).length, 1)
    assert.equal((await faultsOf({ types, where: 'owner=me' })).length, 1)
    assert.equal((await faultsOf({ types, where: 'price=1&sort=name' })).length, 1)
    assert.match(String(await faultsOf({ types, where: 'prise.gte=1' })), /did you mean price/)
    assert.match(String(await faultsOf({ types, changed: ['stagee'] })), /^\/changed\/0 .*did you mean stage/)
  })
})
