import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { schema } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

const endpoints = endpointsOf(schema)

let service: TestService
before(async () => {
  service = await roomService()
})

test('a misspelt parameter is 400 with the nearest known name on every address, and nothing is written', async () => {
  const { id } = await openDeal(service)
  const view = await service.request('POST', '/views', { body: { name: 'All', collection: 'deals', query: '' } })
  assert.equal(view.status, 201, view.text)
  const written = async () =>
    (await Promise.all(['/events', '/customers', `${DEALS}`, '/webhooks'].map((path) => service.request('GET', path))))
      .map(({ text }) => text)
      .join()
  const before = await written()
  for (const { method, path, parameters = [] } of endpoints) {
    // Its view says what is wrong with a filter.
    if (path.startsWith('/filters/')) continue
    const address = path.startsWith(DEALS)
      ? path.replace(':id', id).replace(':target', `${id}%3Ahold`)
      : // What is known there depends on the view.
        path.replace(':target', '1%3Achange').replace(/:id(?=\/items$)/, String(view.body.id))
    const asked = `${address.replaceAll(/:\w+/g, '1')}?dry_run=true`
    const content = method === 'QUERY' ? {} : { name: 'Roof', price: 1 }
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: content }
    const answer = await service.request(method, asked, body)
    assert.equal(answer.status, 400, `${method} ${asked} ${answer.text}`)
    assert.equal(answer.body.code, 'invalid-parameter', `${method} ${asked}`)
    const near = parameters.includes('dry-run') ? ', did you mean dry-run?' : ''
    assert.equal(answer.body.detail, `dry_run is not known here${near}`, `${method} ${asked}`)
  }
  assert.equal(await written(), before)
})

test('a switch that is neither on nor off writes nothing', async () => {
  for (const query of ['dry-run', 'dry-run=', 'dry-run=1', 'dry-run=True', 'dry-run=true&dry-run=true']) {
    const answer = await service.request('POST', `${DEALS}?${query}`, { body: { name: 'Roof', price: 1 } })
    assert.equal(answer.status, 400, query)
  }
})
