import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { ...(body && { body }) })

testOnEachStore('what other things name is not deleted, and they are listed', async () => {
  const retiring: string[] = []
  for (const field of [
    { on: 'customer', name: 'bestDeal', title: 'Best deal', kind: 'link', options: { to: 'deal' } },
    { on: 'task', name: 'guarantor', title: 'Guarantor', kind: 'link', options: { to: 'customer' } },
  ]) {
    const made = await ask('POST', '/fields', field)
    assert.equal(made.status, 201, made.text)
    retiring.push(`/fields/${made.body.id}/retired`)
  }
  const deal = await openDeal(service, { name: 'Named' })
  const customer = (await ask('POST', '/customers', { name: 'Ann', own: { bestDeal: deal.id } })).body
  const task = (await ask('POST', '/rest/v1/tasks', { title: 'Ask Ann', own: { guarantor: customer.id } })).body
  const own = (await ask('POST', DEALS, { name: "Ann's", price: 1, customerId: customer.id })).body
  const usedBy = [
    { on: 'deal', id: own.id, name: "Ann's" },
    { on: 'task', id: task.id, name: 'Ask Ann' },
  ]
  const kept = await ask('DELETE', `/customers/${customer.id}`)
  assert.deepEqual([kept.status, kept.body.code, kept.body.usedBy], [409, 'customer-in-use', usedBy])
  for (const [method, path] of [
    ['DELETE', `${DEALS}/${deal.id}`],
    ['PUT', `${DEALS}/${deal.id}/delete`],
    ['POST', `${DEALS}/${deal.id}/deletions?dry-run=true`],
  ] as const) {
    const named = await ask(method, path)
    assert.deepEqual([named.status, named.body.code], [409, 'in-use'])
    assert.deepEqual(named.body.usedBy, [{ on: 'customer', id: customer.id, name: 'Ann' }])
  }
  const batch = { atomic: true, commands: [{ deal: deal.id, action: 'DeleteDeal' }] }
  const refused = await ask('POST', '/rest/v1/batch', batch)
  assert.ok(refused.text.includes('"usedBy"'), refused.text)
  for (const path of retiring) assert.equal((await ask('PUT', path)).status, 200)
  assert.equal((await ask('DELETE', `${DEALS}/${deal.id}`)).status, 204, 'a retired field names nothing')
})
