import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hal } from '../../src/representations/hal.ts'
import { context, pageOf, resource } from '../support/inputs/sample-documents.ts'

test('links are link objects, operations told apart by their names', () => {
  const json =
    '{"id":1,"paid":90000000000000.01,"links":{"self":"/1","operations":{"hold":"/1/hold","move":"/1/move"}}}'
  assert.equal(
    hal.write(resource(json), context),
    '{"id":1,"paid":90000000000000.01,"_links":{"self":{"href":"/1"},"operations":' +
      '[{"href":"/1/hold","name":"hold"},{"href":"/1/move","name":"move"}]}}',
  )
})

test('items are embedded, each with a link to itself', () => {
  const page = pageOf([{ id: 1 }], { itemAddress: ({ id }) => `/deals/${id}` })
  assert.deepEqual(JSON.parse(String(hal.write(page, context))), {
    page: 1,
    pageSize: 50,
    hasMore: false,
    _links: { self: { href: '/rest/v1/deals' } },
    _embedded: { item: [{ id: 1, _links: { self: { href: '/deals/1' } } }] },
  })
})

test('a bare list has its links too, and what has none has no empty ones', () => {
  const list = resource('[{"id":1}]', { kind: 'list', pageLinks: { next: '/?after=1' } })
  assert.equal(hal.write(list, context), '{"_links":{"next":{"href":"/?after=1"}},"_embedded":{"item":[{"id":1}]}}')
  assert.equal(hal.write(resource('{"status":"ok"}'), context), '{"status":"ok"}')
})
