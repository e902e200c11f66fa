import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const ask = (method: string, path: string, body?: unknown, headers = {}): Promise<Answered> =>
  service.request(method, path, { headers, ...(body !== undefined && { body }) })
const named = (reference: string, path = DEALS): string => `${path}/by/reference/${encodeURIComponent(reference)}`

suite('a thing under its reference', () => {
  testOnEachStore('is made by the first PUT, changed by the next, read, and gone when it is deleted', async () => {
    for (const [path, first, second] of [
      [DEALS, { name: 'Roof', price: 1 }, { price: 2 }],
      ['/customers', { name: 'Ana', company: 'Ruiz' }, { name: 'Eva' }],
      ['/rest/v1/tasks', { title: 'Call', note: 'soon' }, { status: 'done' }],
    ] as const) {
      const reference = `${randomUUID()}/a b.json`
      const at = named(reference, path)
      assert.equal((await ask('GET', at)).status, 404)
      assert.equal((await ask('PATCH', at, second, { 'content-type': 'application/merge-patch+json' })).status, 404)
      const made = await ask('PUT', at, first)
      assert.equal(made.status, 201, made.text)
      assert.equal(made.headers.location, `${path}/${made.body.id}`)
      assert.partialDeepStrictEqual(made.body, { ...first, reference })
      const changed = await ask('PUT', at, second)
      assert.equal(changed.status, 200, changed.text)
      assert.equal(changed.headers['content-location'], `${path}/${made.body.id}`)
      assert.partialDeepStrictEqual(changed.body, { ...first, ...second, reference, id: made.body.id })
      const read = await ask('GET', at)
      assert.deepEqual(read.body, changed.body)
      assert.equal(read.headers.etag, changed.headers.etag)
      assert.equal((await ask('PUT', at, { ...second, reference: 'another' })).status, 422)
      // As it was read, with its links.
      assert.equal((await ask('PUT', at, read.body)).status, 200)
      assert.equal((await ask('DELETE', at)).status, 204)
      const gone = path === DEALS ? 410 : 404
      assert.equal((await ask('GET', at)).status, gone)
      assert.equal((await ask('PUT', at, first)).status, gone === 410 ? 410 : 201)
    }
  })

  test('is not made if the body names a state of it', async () => {
    const at = named(randomUUID())
    for (const revision of [1, 3]) {
      const refused = await ask('PUT', at, { name: 'Roof', price: 1, revision })
      assert.deepEqual([refused.status, refused.body.code], [412, 'precondition-failed'], refused.text)
    }
    assert.equal((await ask('GET', at)).status, 404)
  })

  test('has a page that leads to its other representations', async () => {
    const reference = `A ${randomUUID()}`
    await ask('PUT', named(reference), { name: 'Roof', price: 1 })
    const { text } = await ask('GET', named(reference), undefined, { accept: 'text/html' })
    const links = [...text.matchAll(/<link rel="alternate" type="[^"]+" href="([^"]+)">/g)].map(([, href = '']) => href)
    assert.notEqual(links.length, 0)
    for (const href of links) {
      const other = await ask('GET', href)
      assert.equal(other.status, 200, href)
      assert.match(other.text, new RegExp(reference))
    }
  })

  test('is what an operation below it is done with, in every form', async () => {
    const at = named(randomUUID())
    await ask('PUT', at, { name: 'Roof', price: 1 })
    assert.equal((await ask('PUT', `${at}/hold`, { reason: 'x' })).status, 200)
    assert.equal((await ask('PUT', `${at}/unholded`)).status, 200)
    assert.equal((await ask('PUT', at, { action: 'HoldDeal', params: { reason: 'y' } })).status, 200)
    const entry = await ask('POST', `${at}/notes`, { text: 'Called.' })
    assert.equal(entry.status, 201, entry.text)
    const command = await ask('PUT', `${at}/commands/${randomUUID()}`, { action: 'UnholdDeal' })
    assert.equal(command.status, 201, command.text)
    const { body } = await ask('GET', at)
    assert.deepEqual([body.held, body.revision], [false, 6])
    assert.equal((await ask('PUT', `${at}/unhold`)).status, 409)
    assert.equal((await ask('PUT', `${at}/holt`, { reason: 'x' })).status, 404)
    assert.equal((await ask('GET', `${DEALS}/by/name/Roof`)).status, 404)
    assert.equal((await ask('PUT', `${DEALS}/by/name/Roof`, { name: 'Roof', price: 1 })).status, 404)
    assert.equal((await ask('PUT', `${named(randomUUID())}/hold`, { reason: 'x' })).body.code, 'deal-not-found')
    const customer = named(randomUUID(), '/customers')
    await ask('PUT', customer, { name: 'Ana' })
    assert.equal((await ask('POST', `${customer}/edits`, { name: 'Eva' })).status, 200)
  })

  testOnEachStore('is guarded, tried and repeated as under its id', async () => {
    const at = named(randomUUID())
    const roof = { name: 'Roof', price: 1 }
    assert.equal((await ask('PUT', at, roof, { 'if-match': '*' })).status, 412)
    assert.equal((await ask('PUT', at, { price: 1 })).status, 422)
    const tried = await ask('PUT', `${at}?dry-run=true`, roof)
    assert.deepEqual([tried.status, tried.body.id, tried.headers.location], [200, undefined, undefined])
    assert.equal((await ask('GET', at)).status, 404)
    const key = { 'idempotency-key': randomUUID() }
    const made = await ask('PUT', at, roof, { ...key, 'if-none-match': '*' })
    assert.equal(made.status, 201)
    assert.equal((await ask('PUT', at, { price: 3 }, { 'if-none-match': '*' })).status, 412)
    assert.equal((await ask('PUT', at, { price: 3 }, { 'if-match': made.headers.etag })).status, 200)
    const again = await ask('PUT', at, roof, key)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'])
    assert.equal((await ask('PUT', at, { price: 4 }, key)).body.code, 'idempotency-key-reused')
    const minimal = await ask('PUT', at, { price: 5 }, { prefer: 'return=minimal' })
    assert.equal(minimal.status, 204)
  })

  testOnEachStore('is named so in commands and batches, and upserted there', async () => {
    const reference = randomUUID()
    const deal = { reference }
    const id = randomUUID()
    const params = { name: 'Roof', price: 1 }
    const made = await ask('PUT', `/rest/commands/${id}`, { deal, action: 'UpsertDeal', params })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.action, made.body.params], ['UpsertDeal', { ...params, reference }])
    const again = await ask('PUT', `/rest/commands/${id}`, { deal, action: 'UpsertDeal', params })
    assert.equal(again.status, 200, again.text)
    const { body: shown } = await ask('GET', `/rest/commands/${id}`)
    assert.equal((await ask('PUT', `/rest/commands/${id}`, shown)).status, 200)
    const other = { deal, action: 'UpsertDeal', params: { ...params, reference: 'another' } }
    assert.equal((await ask('PUT', `/rest/commands/${randomUUID()}`, other)).status, 422)
    const nameless = { deal: made.body.deal, action: 'UpsertDeal', params }
    assert.equal((await ask('PUT', `/rest/commands/${randomUUID()}`, nameless)).status, 422)
    assert.equal((await ask('POST', '/command/HoldDeal/', { id: deal, reason: 'x' })).status, 200)
    assert.equal((await ask('POST', '/command/UpsertDeal/', { id: deal, price: 3 })).status, 409)
    const customer = { reference }
    const commands = [
      { customer, action: 'UpsertCustomer', params: { name: 'Ana' } },
      { deal, action: 'UnholdDeal' },
      { deal, action: 'UpsertDeal', params: { customerId: '$0' } },
      { customer, action: 'ChangeCustomer', params: { name: 'Eva' } },
      { task: { reference }, action: 'UpsertTask', params: { title: 'Call', customerId: '$0' } },
    ]
    const batch = await ask('POST', '/rest/v1/batch', { atomic: true, commands })
    assert.equal(batch.status, 200, batch.text)
    const [ana, , roof, eva] = batch.body.results as readonly { [name: string]: { [field: string]: unknown } }[]
    assert.equal(eva?.customer?.name, 'Eva')
    assert.equal(roof?.deal?.customerId, ana?.customer?.id)
    const wrong = { commands: [{ deal: { name: 'Roof' }, action: 'HoldDeal', params: { reason: 'x' } }] }
    const [refused] = (await ask('POST', '/rest/v1/batch', wrong)).body.results as readonly {
      problem: { errors: readonly { pointer: string }[] }
    }[]
    assert.equal(refused?.problem.errors[0]?.pointer, '/commands/0/deal/name')
  })

  test('is not made under a value that no thing can have: the address is at fault, not the body', async () => {
    const long = 'x'.repeat(101)
    for (const [reference, code] of [
      [long, 'too-long'],
      [' ', 'blank'],
    ] as const) {
      const { status, body } = await ask('PUT', named(reference), { name: 'Roof', price: 1 })
      const errors = body.errors as readonly object[]
      assert.deepEqual([status, body.code, errors.length], [422, 'invalid-body', 1])
      assert.partialDeepStrictEqual(errors[0], { parameter: 'value', code })
      assert.equal((await ask('GET', named(reference))).status, 404)
    }
    assert.equal((await ask('PUT', `${named(long)}/hold`, { reason: 'x' })).status, 404)
  })

  test('is not named by a value of another type', async () => {
    await ask('PUT', named('null'), { name: 'Roof', price: 1 })
    await ask('PUT', named('5'), { name: 'Roof', price: 1 })
    const params = { reason: 'x' }
    for (const [value, code] of [
      [null, 'required'],
      [5, 'type'],
      [true, 'type'],
      [{}, 'type'],
    ] as const) {
      const deal = { reference: value }
      for (const [method, path, body, pointer] of [
        ['PUT', `/rest/commands/${randomUUID()}`, { deal, action: 'HoldDeal', params }, '/deal/reference'],
        ['PUT', `/rest/commands/${randomUUID()}`, { deal, action: 'UpsertDeal', params: {} }, '/deal/reference'],
        ['POST', '/command/HoldDeal/', { id: deal, ...params }, '/id/reference'],
      ] as const) {
        const { status, body: told } = await ask(method, path, body)
        const [error] = told.errors as readonly { readonly pointer: string; readonly code: string }[]
        assert.deepEqual([status, error?.pointer, error?.code], [422, pointer, code], `${path} ${value}`)
      }
    }
    const unknown = await ask('POST', '/command/HoldDeal/', { id: { reference: 'nobody' }, ...params })
    assert.equal(unknown.status, 404)
  })
})
