import assert from 'node:assert/strict'
import { before } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { bearer, type ClosedService } from '../../support/service/closed-service.ts'
import { closedRoomService } from '../../support/service/room-service.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'

// What is special to rates: their decimals, and who may write them.

let service: ClosedService
before(async () => {
  service = await closedRoomService()
})

type By = keyof ClosedService['keys']
const ask = (by: By, method: string, path: string, body?: object | string): Promise<Answered> =>
  service.request(method, path, {
    headers: { ...bearer(service.keys[by]), ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })

test('admins write rates, and everybody reads them', async () => {
  const body = { currency: 'USD', perUnit: 1.0837, since: '2026-11-01' }
  for (const by of ['reader', 'editor'] as const) assert.equal((await ask(by, 'POST', '/rates', body)).status, 403)
  const made = await ask('admin', 'POST', '/rates', body)
  assert.equal(made.status, 201, made.text)
  const self = `/rates/${made.body.id}`
  assert.partialDeepStrictEqual((await ask('reader', 'GET', self)).body, body)
  assert.equal((await ask('editor', 'PATCH', self, { perUnit: 1.09 })).status, 403)
  assert.equal((await ask('editor', 'POST', '/command/DeleteRate/', { id: made.body.id })).status, 403)
  assert.equal((await ask('admin', 'PATCH', self, { perUnit: 1.09 })).body.perUnit, 1.09)
  assert.equal((await ask('admin', 'DELETE', self)).status, 204)
})

testOnEachStore('a rate keeps its eight decimals exactly, and has no more', async () => {
  for (const digits of ['0.00000001', '0.1', '1.00000001', '123456.12345678', '999999.99999999', '1000000']) {
    const made = await ask('admin', 'POST', '/rates', `{"currency":"KWD","since":"2026-10-01","perUnit":${digits}}`)
    assert.equal(made.status, 201, made.text)
    assert.ok(made.text.includes(`"perUnit":${digits},`), made.text)
    const { items = [] } = (await ask('reader', 'GET', `/rates?perUnit=${digits}`)).body
    assert.deepEqual(
      items.map((item) => (item as Shown).id),
      [made.body.id],
    )
  }
  for (const digits of ['0', '-1', '0.000000001', '1.000000001', '1.00000000000000001', '1000000.00000001', '"1"']) {
    const refused = await ask('admin', 'POST', '/rates', `{"currency":"KWD","since":"2026-10-01","perUnit":${digits}}`)
    assert.equal(refused.status, 422, `${digits}: ${refused.text}`)
  }
})

testOnEachStore('rates are compared, sorted and measured as numbers', async () => {
  for (const perUnit of [9.5, 10.25, 100.00000001]) {
    await ask('admin', 'POST', '/rates', { currency: 'CZK', perUnit, since: '2026-09-01' })
  }
  const { items = [] } = (await ask('reader', 'GET', '/rates?currency=CZK&perUnit.gte=10&sort=-perUnit')).body
  assert.deepEqual(
    items.map((item) => (item as Shown).perUnit),
    [100.00000001, 10.25],
  )
  const measured = await ask('reader', 'GET', '/rates?currency=CZK&measure=min.perUnit,max.perUnit,avg.perUnit')
  assert.deepEqual(measured.body.items as readonly unknown[], [
    { 'min.perUnit': 9.5, 'max.perUnit': 100.00000001, 'avg.perUnit': 39.91666667 },
  ])
  const found = await ask('reader', 'GET', '/rates?currency=CZK&perUnit.regex=%5E100.00000001%24')
  assert.equal(found.body.items?.length, 1, found.text)
})

test('a rate needs its currency: the default of deals is none of it', async () => {
  const refused = await ask('admin', 'POST', '/rates', { perUnit: 1, since: '2026-11-01' })
  assert.equal(refused.status, 422, refused.text)
})
