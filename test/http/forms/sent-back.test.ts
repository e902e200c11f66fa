import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

const HAL = 'application/hal+json'

const send = async (method: string, path: string, body?: unknown, type = HAL) => {
  const headers = { accept: HAL, ...(body !== undefined && { 'content-type': type }) }
  const { status, text } = await service.request(method, path, { headers, body })
  return { status, text, told: JSON.parse(text) }
}

test('what was read as HAL is sent back whole, and changed in between', async () => {
  await service.request('POST', '/customers', { body: { name: 'Halina', age: 30 } })
  const made = await service.request('POST', '/rest/v1/deals/', { body: { name: 'Roof', price: 10.5, customerId: 1 } })
  const field = { on: 'deal', name: 'colour', title: 'Colour', kind: 'text' }
  await service.request('POST', '/fields', { body: field })
  for (const [path, change] of [
    [`/rest/v1/deals/${made.body.id}`, { price: 12, own: { colour: 'red' } }],
    ['/customers/1', { age: 31 }],
  ] as const) {
    const { told: whole } = await send('GET', path)
    assert.ok(whole._links.self)
    for (const method of ['PUT', 'PATCH']) {
      const same = await send(method, path, whole)
      assert.deepEqual([same.status, same.told], [200, whole], `${method} ${path}: ${same.text}`)
    }
    const changed = await send('PUT', path, { ...whole, ...change })
    assert.equal(changed.status, 200, changed.text)
    assert.partialDeepStrictEqual(changed.told, change)
    const { told: now } = await send('GET', path)
    for (const wrong of [
      { ...now, createdAt: '2020-01-01T00:00:00.000Z' },
      { ...now, _links: 7 },
      { ...now, _embedded: { item: [] } },
      { ...now, linkz: {} },
    ])
      assert.equal((await send('PUT', path, wrong)).status, 422, JSON.stringify(wrong))
    assert.equal((await send('PUT', path, whole)).status, 412, 'a revision that was read is a precondition')
    assert.equal((await send('PUT', path, { ...now }, 'application/json')).status, 422, '_links are of HAL')
  }
})
