import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { customer } from '../../../src/model/nouns/customer/customer.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Shown, TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const ana = {
  name: 'Ana Ruiz',
  email: 'ana@example.com',
  age: 41,
  children: 2,
  country: 'ES',
  company: 'Ruiz e Hijos',
  phone: '+34 600 123 456',
}

async function created(body: object = ana): Promise<Shown> {
  const answer = await service.request('POST', '/customers', { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const at = (customer: Shown): string => `/customers/${customer.id}`

suite('a customer', () => {
  testOnEachStore('is created with 201 and read as it was answered', async () => {
    const answer = await service.request('POST', '/customers', { body: ana })
    assert.equal(answer.status, 201)
    const { id, createdAt, updatedAt, links, ...fields } = answer.body
    assert.ok(Number.isInteger(id))
    const untold = Object.fromEntries(Object.keys(customer.create).map((name) => [name, null]))
    assert.deepEqual(fields, { ...untold, ...ana, revision: 1 })
    assert.equal(createdAt, updatedAt)
    assert.partialDeepStrictEqual(links, { self: `/customers/${id}`, collection: '/customers' })
    assert.equal(answer.headers.location, `/customers/${id}`)
    const read = await service.request('GET', `/customers/${id}`)
    assert.equal(read.text, answer.text)
    assert.equal(read.headers.etag, answer.headers.etag)
    assert.equal(read.headers['last-modified'], answer.headers['last-modified'])
    const bare = await created({ name: 'Ben' })
    assert.partialDeepStrictEqual(bare, { email: null, age: null, children: null, country: null })
    assert.ok(Number(bare.id) > Number(id))
  })

  test('has its names trimmed, and every other text as it was sent', async () => {
    const { name, company, phone } = await created({ name: ' Ana ', company: ' Ruiz ', phone: ' 0049 ' })
    assert.deepEqual([name, company, phone], ['Ana', ' Ruiz ', ' 0049 '])
  })

  test('is refused with every fault at once', async () => {
    const body = { name: '', email: 'nobody', age: 151, children: -1, country: 'XX', id: 7, extra: true }
    const answer = await service.request('POST', '/customers', { body })
    assert.equal(answer.status, 422)
    const pointers = answer.body.errors.map(({ pointer }) => pointer).toSorted()
    assert.deepEqual(pointers, ['/age', '/children', '/country', '/email', '/extra', '/id', '/name'])
    assert.equal((await service.request('POST', '/customers')).status, 422)
    assert.equal((await service.request('POST', '/customers', { body: { name: 'x'.repeat(201) } })).status, 422)
    assert.equal((await service.request('POST', '/customers', { body: { name: 'a\u0000b' } })).status, 422)
    assert.equal((await service.request('POST', '/customers', { body: '{"name":"\\ud800"}' })).status, 422)
  })

  test('is replaced whole by PUT', async () => {
    const customer = await created()
    const replaced = await service.request('PUT', at(customer), { body: { name: 'Ana Sanz', age: 42 } })
    assert.equal(replaced.status, 200)
    assert.partialDeepStrictEqual(replaced.body, {
      id: customer.id,
      name: 'Ana Sanz',
      age: 42,
      email: null,
      children: null,
      country: null,
      revision: 2,
      createdAt: customer.createdAt,
    })
    assert.equal((await service.request('GET', at(customer))).text, replaced.text)
    assert.equal((await service.request('PUT', at(customer), { body: { age: 42 } })).status, 422)
  })

  test('is changed in part by PATCH', async () => {
    const customer = await created()
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await service.request('PATCH', at(customer), { body: { age: 42, email: null }, headers })
    assert.partialDeepStrictEqual(patched.body, { ...ana, age: 42, email: null, revision: 2 })
    const same = await service.request('PATCH', at(customer), { body: patched.body, headers })
    assert.equal(same.status, 200)
    assert.equal(same.text, patched.text)
    const wrong = await service.request('PATCH', at(customer), { body: { id: 1, revision: 2, agee: 1 } })
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }) => pointer),
      ['/id', '/agee'],
    )
    const worded = await service.request('PATCH', at(customer), { body: { revision: 'two' } })
    assert.equal(worded.status, 422)
  })

  testOnEachStore('is guarded by its tag and by a revision in the body', async () => {
    const customer = await created()
    const { headers } = await service.request('GET', at(customer))
    const xml = await service.request('GET', `${at(customer)}.xml`)
    for (const tag of [headers.etag, xml.headers.etag]) {
      const answer = await service.request('PATCH', at(customer), {
        body: { age: 41 },
        headers: { 'if-match': String(tag) },
      })
      assert.equal(answer.status, 200)
    }
    assert.equal((await service.request('PATCH', at(customer), { body: { age: 50, revision: 1 } })).status, 200)
    assert.equal((await service.request('PATCH', at(customer), { body: { age: 51, revision: 1 } })).status, 412)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : { name: 'x' }
      const stale = await service.request(method, at(customer), { body, headers: { 'if-match': String(headers.etag) } })
      assert.equal(stale.status, 412, method)
      assert.equal(stale.body.code, 'stale-revision')
      assert.equal(stale.headers.etag, (await service.request('GET', at(customer))).headers.etag)
    }
  })

  testOnEachStore('is deleted with 204, and its id is not given again', async () => {
    const customer = await created()
    assert.equal((await service.request('DELETE', at(customer))).status, 204)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await service.request(
        method,
        at(customer),
        method === 'GET' || method === 'DELETE' ? {} : { body: ana },
      )
      assert.equal(answer.status, 404, method)
      assert.equal(answer.body.code, 'customer-not-found')
    }
    assert.notEqual((await created()).id, customer.id)
  })

  testOnEachStore('that a deal names, deleted or not, cannot be deleted', async () => {
    const customer = await created()
    const deal = await openDeal(service, { customerId: customer.id })
    const refused = async () => {
      for (const [method, path] of [
        ['DELETE', at(customer)],
        ['POST', `${at(customer)}/deletions`],
      ] as const) {
        const answer = await service.request(method, path)
        assert.equal(answer.status, 409)
        assert.equal(answer.body.code, 'customer-in-use')
      }
    }
    await refused()
    await service.request('DELETE', `${DEALS}/${deal.id}`)
    await refused()
    await service.request('PUT', `${DEALS}/${deal.id}/restore`)
    await service.request('PUT', `${DEALS}/${deal.id}/change-customer`, { body: { customerId: null } })
    assert.equal((await service.request('DELETE', at(customer))).status, 204)
    const named = await service.request('PUT', `${DEALS}/${deal.id}/change-customer`, {
      body: { customerId: customer.id },
    })
    assert.deepEqual(saidFaults(named.body.errors), [
      { pointer: '/customerId', detail: `names customer ${customer.id}, which does not exist` },
    ])
  })

  testOnEachStore('with an id that none can have is not found', async () => {
    for (const id of ['0', '-1', '01', '1.0', '1e3', 'x', '%20', '9007199254740993']) {
      const answer = await service.request('GET', `/customers/${id}`)
      assert.equal(answer.status, 404, id)
      assert.equal(answer.body.code, 'customer-not-found')
    }
  })

  test('is edited and deleted from a page', async () => {
    const customer = await created()
    const accept = { accept: 'text/html' }
    const body = new URLSearchParams({
      name: 'Ana María',
      email: '',
      age: '43',
      children: '',
      country: 'PT',
      _revision: '1',
    })
    const edited = await service.request('POST', `${at(customer)}/edits`, { body, headers: accept })
    assert.equal(edited.status, 303)
    assert.equal(edited.headers.location, at(customer))
    assert.partialDeepStrictEqual((await service.request('GET', at(customer))).body, {
      name: 'Ana María',
      email: null,
      age: 43,
      children: null,
      country: 'PT',
      revision: 2,
    })
    assert.equal((await service.request('POST', `${at(customer)}/edits`, { body, headers: accept })).status, 412)
    const form = new URLSearchParams({ phone: '77', country: '' })
    const some = await service.request('POST', `${at(customer)}/edits`, { body: form })
    assert.partialDeepStrictEqual(some.body, { name: 'Ana María', age: 43, phone: '77', country: null })
    const nameless = await service.request('POST', `${at(customer)}/edits`, { body: new URLSearchParams({ name: '' }) })
    assert.equal(nameless.status, 422)
    const patched = await service.request('POST', `${at(customer)}/edits`, { body: { age: 44 } })
    assert.partialDeepStrictEqual(patched.body, { name: 'Ana María', age: 44 })
    const gone = await service.request('POST', `${at(customer)}/deletions`, {
      body: new URLSearchParams(),
      headers: accept,
    })
    assert.equal(gone.status, 303)
    assert.equal(gone.headers.location, '/customers')
  })
})

test('a body that would be lost keeps a customer or a webhook from being removed', async () => {
  const { body } = await service.request('POST', '/customers', { body: { name: 'Kept' } })
  const odd = { body: { reason: 'moved away' } }
  assert.equal((await service.request('POST', `/customers/${body.id}/deletions`, odd)).status, 422)
  assert.equal((await service.request('POST', '/customers/999999/deletions', odd)).status, 404)
  const made = await service.request('POST', '/webhooks', { body: { url: 'https://example.com/hook' } })
  const removals = `${made.headers.location}/removals`
  assert.equal((await service.request('POST', removals, odd)).status, 422)
  assert.equal((await service.request('POST', removals, { body: {} })).status, 204)
  assert.equal((await service.request('POST', removals, odd)).status, 404)
  assert.equal((await service.request('POST', `/customers/${body.id}/deletions`)).status, 204)
})
