import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operationsOnExisting } from '../../../src/model/schema/resources.ts'
import { repeatable } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const body = { reason: 'credit check' }

test('a verb behind a colon does an operation, escaped or not, with and without a slash', async () => {
  const { id } = await openDeal(service)
  for (const address of [`${id}:hold`, `${id}%3Ahold`, `${id}%3ahold/`, `${id.toUpperCase()}:HoldDeal`]) {
    const answer = await service.request('POST', `${DEALS}/${address}`, { body })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.id, id)
    assert.equal(answer.headers['content-location'], `${DEALS}/${id}`)
  }
})

test('every resource has them', async () => {
  for (const resource of repeatable) {
    const [operation] = operationsOnExisting(resource)
    const id = resource.name === 'customer' ? 99 : '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
    const answer = await service.request('POST', `${resource.path}/${id}:${operation?.name}`)
    assert.deepEqual([answer.status, answer.body.code], [404, `${resource.name}-not-found`])
  }
})

test('a verb that there is not is 404, with the one that was meant', async () => {
  const { id } = await openDeal(service)
  for (const [verb, near] of [
    ['hould', /did you mean hold\?/],
    ['', /has no method ""/],
    ['create', /has no method "create"/],
    ['CreateCustomer', /has no method/],
  ] as const) {
    const answer = await service.request('POST', `${DEALS}/${id}:${verb}`, { body })
    assert.equal(answer.status, 404)
    assert.equal(answer.body.code, 'not-found')
    assert.match(answer.body.detail, near)
  }
  const unknown = await service.request('POST', `${DEALS}/a:b:hold`, { body })
  assert.equal(unknown.status, 404)
  assert.equal(unknown.body.detail, 'There is no deal "a:b".')
})

test('without a colon there is no POST', async () => {
  const { id } = await openDeal(service)
  const answer = await service.request('POST', `${DEALS}/${id}`, { body })
  assert.equal(answer.status, 405)
  assert.doesNotMatch(String(answer.headers.allow), /POST/)
  const options = await service.request('OPTIONS', `${DEALS}/${id}:hold`)
  assert.match(String(options.headers.allow), /POST/)
})

test('preconditions, keys and dry runs are those of every form', async () => {
  const { id } = await openDeal(service)
  const dry = await service.request('POST', `${DEALS}/${id}:hold?dry-run=true`, { body })
  assert.equal(dry.headers['dry-run'], 'true')
  const stale = await service.request('POST', `${DEALS}/${id}:hold`, { body, headers: { 'if-match': '"1-x"' } })
  assert.equal(stale.status, 412)
  const headers = { 'idempotency-key': 'custom-1' }
  await service.request('POST', `${DEALS}/${id}:hold`, { body, headers })
  const again = await service.request('POST', `${DEALS}/${id}:hold`, { body, headers })
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.body.revision, 2)
})
