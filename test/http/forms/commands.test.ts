import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal, storedDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

// A command is decided once, under an id of its own or under an idempotency key: one mechanism, one id space.

let service: TestService
before(async () => {
  service = await roomService()
})

const put = (id: string, body: unknown, headers = {}): Promise<Answered> =>
  service.request('PUT', `/rest/commands/${id}`, { body, headers })

const hold = (deal: Shown, reason = 'credit check') => ({ deal: deal.id, action: 'HoldDeal', params: { reason } })

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

function isReused(answer: Answered, code: 'command-id-reused' | 'idempotency-key-reused'): void {
  assert.equal(answer.body.code, code)
  assert.equal(answer.status, code === 'command-id-reused' ? 409 : 422)
}

suite('a command', () => {
  testOnEachStore('is created by its first PUT and replayed by the next', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    const first = await put(id, hold(deal))
    assert.equal(first.status, 201)
    assert.equal(first.headers.location, undefined)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    const { decidedAt, links, ...members } = first.body
    assert.deepEqual(members, {
      id,
      deal: deal.id,
      action: 'HoldDeal',
      params: { reason: 'credit check' },
      status: 'applied',
      revision: 2,
    })
    assert.deepEqual(links, { self: `/rest/commands/${id}`, deal: `${DEALS}/${deal.id}` })
    const second = await put(id, hold(deal))
    assert.equal(second.status, 200)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.text, first.text)
    assert.equal((await storedDeal(service, deal.id)).revision, 2)
  })

  test('is read under both of its addresses, and under no other deal', async () => {
    const deal = await openDeal(service)
    const other = await openDeal(service)
    const id = randomUUID()
    const { text } = await put(id, hold(deal))
    for (const path of [`/rest/commands/${id}`, `${DEALS}/${deal.id}/commands/${id}`]) {
      const read = await service.request('GET', path)
      assert.equal(read.status, 200)
      assert.equal(read.text, text)
    }
    for (const path of [`${DEALS}/${other.id}/commands/${id}`, `/rest/commands/${randomUUID()}`]) {
      const read = await service.request('GET', path)
      assert.equal(read.status, 404)
      assert.equal(read.body.code, 'command-not-found')
    }
  })

  test('is the same in both command forms and under both names of the operation', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    await put(id, hold(deal))
    const params = { reason: 'credit check' }
    const inDeal = `${DEALS}/${deal.id}/commands/${id}`
    for (const again of [
      await put(id, { deal: deal.id, action: 'hold', params }),
      await put(id, { params: { id: deal.id, ...params }, action: 'hold', deal: deal.id }),
      await service.request('PUT', inDeal, { body: { action: 'HoldDeal', params } }),
      await service.request('PUT', inDeal, { body: { deal: deal.id, id: deal.id, params, action: 'hold' } }),
      await put(id, { id, deal: deal.id, action: 'hold', params }),
      await service.request('PUT', inDeal, { body: { id, action: 'hold', params } }),
    ]) {
      assert.equal(again.status, 200, again.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
  })

  test('is refused when its body names another id than its address', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    const errors = async (path: string, body: unknown) => {
      const answer = await service.request('PUT', path, { body })
      assert.equal(answer.status, 422, answer.text)
      return saidFaults(answer.body.errors)
    }
    assert.deepEqual(await errors(`/rest/commands/${id}`, { ...hold(deal), id: 'other' }), [
      { pointer: '/id', detail: `is not the addressed command, ${id}` },
    ])
    assert.deepEqual(await errors(`${DEALS}/${deal.id}/commands/${id}`, { ...hold(deal), id: 'other' }), [
      { pointer: '/id', detail: `is not the addressed deal, ${deal.id}` },
    ])
  })

  test('is the same with its defaults spelled out and its members in another order', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    const body = (params: object) => ({ deal: deal.id, action: 'CancelDeal', params })
    assert.equal((await put(id, body({ reason: 'withdrew' }))).status, 201)
    assert.equal((await put(id, body({ amercement: 0, reason: 'withdrew' }))).status, 200)
    assert.equal((await put(id, body({ reason: 'withdrew', amercement: 0.0 }))).status, 200)
    assert.equal((await put(id, { ...body({ reason: 'withdrew' }), deal: deal.id.toUpperCase() })).status, 200)
    isReused(await put(id, body({ reason: 'withdrew', amercement: 0.01 })), 'command-id-reused')
  })

  testOnEachStore('is refused under the same id with other content', async () => {
    const deal = await openDeal(service)
    const other = await openDeal(service)
    const id = randomUUID()
    await put(id, hold(deal))
    for (const body of [
      hold(deal, 'another reason'),
      hold(other),
      { deal: randomUUID(), action: 'HoldDeal', params: { reason: 'credit check' } },
      { ...hold(deal), action: 'UnholdDeal' },
      { ...hold(deal), action: 'NoSuchDeal' },
      { deal: deal.id, action: 'HoldDeal', params: {} },
      { deal: deal.id, action: 'HoldDeal', params: { reason: 'credit check', id: other.id } },
      { ...hold(deal), extra: 1 },
      {},
    ]) {
      isReused(await put(id, body), 'command-id-reused')
    }
    assert.equal((await storedDeal(service, deal.id)).revision, 2)
  })

  testOnEachStore('that the state refuses is kept, refused alike on every repeat and shown as rejected', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    const body = { deal: deal.id, action: 'UnholdDeal', params: {} }
    const first = await put(id, body)
    assert.equal(first.status, 409)
    await service.request('PUT', `${DEALS}/${deal.id}/hold`, { body: { reason: 'now it is held' } })
    const { instance: _first, ...problem } = first.body
    const again = await put(id, body)
    const { instance: _again, ...repeated } = again.body
    assert.equal(again.status, 409)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(repeated, problem)
    const read = await service.request('GET', `/rest/commands/${id}`)
    assert.equal(read.status, 200)
    assert.partialDeepStrictEqual(read.body, { id, deal: deal.id, status: 'rejected', revision: 1, problem })
    isReused(await put(id, hold(deal)), 'command-id-reused')
  })

  testOnEachStore('that is refused for anything but the state is not kept', async () => {
    const deal = await openDeal(service)
    const id = randomUUID()
    assert.equal((await put(id, { ...hold(deal), params: {} })).status, 422)
    assert.equal((await put(id, { ...hold(deal), action: 'NoSuchDeal' })).body.code, 'unknown-action')
    assert.equal((await put(id, { ...hold(deal), deal: randomUUID() })).status, 404)
    assert.equal((await put(id, hold(deal), { 'if-match': '"9-x"' })).status, 412)
    assert.equal((await put(id, 'no json')).status, 400)
    assert.equal((await service.request('GET', `/rest/commands/${id}`)).status, 404)
    assert.equal((await put(id, hold(deal))).status, 201)
  })

  testOnEachStore('creates a deal once', async () => {
    const id = randomUUID()
    const body = { action: 'CreateDeal', params: { name: 'Once', price: 1 } }
    const first = await put(id, body)
    assert.equal(first.status, 201)
    const again = await put(id, {
      action: 'create',
      deal: null,
      params: { price: 1, name: 'Once', currency: 'EUR', stage: 'lead' },
    })
    assert.equal(again.status, 200)
    assert.equal(again.text, first.text)
    assert.partialDeepStrictEqual(await storedDeal(service, String(first.body.deal)), { name: 'Once', revision: 1 })
    isReused(await put(id, { ...body, params: { name: 'Twice', price: 1 } }), 'command-id-reused')
  })

  test('does not create what is already there', async () => {
    const deal = await openDeal(service)
    const body = { action: 'CreateDeal', params: { name: 'Again', price: 1 } }
    for (const [method, path, sent] of [
      ['PUT', `${DEALS}/${deal.id}`, body],
      ['PUT', `${DEALS}/${deal.id}/commands/${randomUUID()}`, body],
      ['PUT', `/rest/commands/${randomUUID()}`, { ...body, deal: deal.id }],
    ] as const) {
      const answer = await service.request(method, path, { body: sent })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.code, 'unknown-action')
    }
  })

  const asJson = { 'content-type': 'application/json' }

  test('names what is missing around its parameters', async () => {
    const deal = await openDeal(service)
    const errors = async (body: unknown) => saidFaults((await put(randomUUID(), body)).body.errors)
    assert.deepEqual(await errors([]), [{ pointer: '', detail: 'must be a JSON object' }])
    const nothing = await service.request('PUT', `/rest/commands/${randomUUID()}`, { body: 'null', headers: asJson })
    assert.deepEqual(saidFaults(nothing.body.errors), [{ pointer: '/action', detail: 'is required' }])
    assert.deepEqual(await errors({ deal: deal.id }), [{ pointer: '/action', detail: 'is required' }])
    assert.deepEqual(await errors({ deal: deal.id, acton: 'hold' }), [
      { pointer: '/action', detail: 'is required' },
      { pointer: '/acton', detail: 'is not known here, did you mean action?' },
    ])
    for (const without of [{}, { deal: null }]) {
      assert.deepEqual(await errors({ ...without, action: 'unhold' }), [{ pointer: '/deal', detail: 'is required' }])
    }
    const { id } = (await service.request('POST', '/customers', { body: { name: 'Ann' } })).body
    const asText = { customer: String(id), action: 'ChangeCustomer', params: { age: 3 } }
    assert.deepEqual(await errors(asText), [{ pointer: '/customer', detail: 'must be an integer' }])
    for (const body of [{}, { id: null }]) {
      const named = await service.request('POST', '/command/UnholdDeal', { body })
      assert.deepEqual(
        [named.status, saidFaults(named.body.errors)],
        [422, [{ pointer: '/id', detail: 'is required' }]],
      )
    }
    assert.deepEqual(await errors({ deal: deal.id, action: 7 }), [{ pointer: '/action', detail: 'must be a string' }])
    assert.deepEqual(await errors({ deal: deal.id, action: 'holt' }), [
      { pointer: '/action', detail: 'there is no operation "holt", did you mean hold?' },
    ])
  })

  for (const id of [
    '%20',
    'a%20b',
    'a%2Fb',
    'caf%C3%A9',
    '.',
    '..',
    '%2e',
    'report.json',
    'report.NDJSON',
    'x'.repeat(129),
  ]) {
    test(`is refused under the id ${id.slice(0, 20)}`, async () => {
      const deal = await openDeal(service)
      for (const path of [`/rest/commands/${id}`, `${DEALS}/${deal.id}/commands/${id}`]) {
        const answer = await service.request('PUT', path, { body: hold(deal) })
        assert.equal(answer.status, 400, answer.text)
        assert.equal(answer.body.code, 'malformed-request')
      }
    })
  }

  for (const id of ['x', `Az09._~-${'x'.repeat(120)}`, 'version-1.2', 'a..b']) {
    test(`is taken under the id ${id.slice(0, 20)}`, async () => {
      const deal = await openDeal(service)
      assert.equal((await put(id, hold(deal))).status, 201)
      assert.equal((await service.request('GET', `/rest/commands/${id}`)).body.id, id)
    })
  }
})

suite('an idempotency key', () => {
  testOnEachStore('is a command id: a repeat gives the first answer again', async () => {
    const deal = await openDeal(service)
    const body = { reason: 'credit check' }
    const requests = [
      ['PUT', 'hold', 200],
      ['PUT', 'holded', 200],
      ['POST', 'holds', 201],
    ] as const
    for (const [method, part, status] of requests) {
      const key = randomUUID()
      const path = `${DEALS}/${deal.id}/${part}`
      const first = await service.request(method, path, { body, ...keyed(key) })
      assert.equal(first.status, status)
      const atOnce = await service.request(method, path, { body, ...keyed(key) })
      for (const name of ['etag', 'last-modified', 'location', 'content-location']) {
        assert.equal(atOnce.headers[name], first.headers[name], name)
      }
      await service.request('PUT', `${DEALS}/${deal.id}/add-note`, { body: { text: 'in between' } })
      const again = await service.request(method, path, { body, ...keyed(key) })
      assert.equal(again.status, status)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.text, first.text)
      assert.equal(again.headers.location, first.headers.location)
      // An entry stays as it is; the deal has changed, and its old state does not claim to be the current one.
      for (const name of ['etag', 'last-modified', 'content-location']) {
        assert.equal(again.headers[name], part === 'holds' ? first.headers[name] : undefined, name)
      }
      const command = await service.request('GET', `/rest/commands/${key}`)
      assert.partialDeepStrictEqual(command.body, { id: key, action: 'HoldDeal', status: 'applied' })
    }
  })

  test('creates a deal once, with 201 each time', async () => {
    const key = randomUUID()
    const body = { name: 'Once', price: 12.5 }
    const first = await service.request('POST', `${DEALS}/`, { body, ...keyed(key) })
    await service.request('PUT', `${DEALS}/${first.body.id}/rename`, { body: { newName: 'Later' } })
    const again = await service.request('POST', DEALS, {
      body: { price: 12.5, stage: 'lead', name: 'Once' },
      ...keyed(key),
    })
    assert.equal(first.status, 201)
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(again.headers.etag, undefined, 'the deal was changed since')
    assert.equal(again.headers['content-location'], undefined)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  test('beside the field of a form must be the same', async () => {
    const deal = await openDeal(service)
    const fields = (command: string) => new URLSearchParams({ text: 'x', _command: command })
    const path = `${DEALS}/${deal.id}/notes`
    const key = randomUUID()
    const other = await service.request('POST', path, { body: fields(randomUUID()), ...keyed(key) })
    assert.equal(other.status, 400)
    assert.partialDeepStrictEqual(other.body, { code: 'invalid-header', errors: [{ header: 'Idempotency-Key' }] })
    assert.equal((await service.request('POST', path, { body: fields(key), ...keyed(key) })).status, 201)
    const { revision } = (await service.request('GET', `${DEALS}/${deal.id}`)).body
    const body = new URLSearchParams({ text: 'x', _revision: String(revision) })
    assert.equal((await service.request('POST', path, { body, headers: { 'if-match': '"x"' } })).status, 400)
    assert.equal((await service.request('POST', path, { body, headers: { 'if-none-match': '*' } })).status, 412)
  })

  testOnEachStore('deletes once, with 204 each time, while the deal is gone', async () => {
    const deal = await openDeal(service)
    const key = randomUUID()
    for (const replayed of [undefined, 'true']) {
      const answer = await service.request('DELETE', `${DEALS}/${deal.id}`, keyed(key))
      assert.equal(answer.status, 204)
      assert.equal(answer.headers['idempotent-replayed'], replayed)
    }
    assert.equal((await storedDeal(service, deal.id)).revision, 2)
  })

  test('guards a single update, an attribute update and the command endpoint', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    for (const [method, address, body, status] of [
      ['PUT', path, { action: 'hold', params: { reason: 'x' } }, 200],
      ['PUT', path, { held: false, price: 7 }, 200],
      ['PATCH', path, { name: 'Another', owner: 'Mila Sanz' }, 200],
      ['POST', '/command/AddDealNote/', { id: deal.id, text: 'noted' }, 200],
    ] as const) {
      const key = randomUUID()
      const before = (await storedDeal(service, deal.id)).revision
      const first = await service.request(method, address, { body, ...keyed(key) })
      assert.equal(first.status, status, first.text)
      const after = (await storedDeal(service, deal.id)).revision
      assert.ok(after > before)
      const again = await service.request(method, address, { body, ...keyed(key) })
      assert.equal(again.status, status)
      assert.equal(again.text, first.text)
      assert.equal(again.headers.link, first.headers.link)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal((await storedDeal(service, deal.id)).revision, after)
    }
  })

  testOnEachStore('of an update that differs in nothing is replayed too', async () => {
    const deal = await openDeal(service)
    const key = randomUUID()
    for (const replayed of [undefined, 'true']) {
      const answer = await service.request('PUT', `${DEALS}/${deal.id}`, { body: { price: 51800 }, ...keyed(key) })
      assert.equal(answer.status, 200)
      assert.equal(answer.body.revision, 1)
      assert.equal(answer.headers['idempotent-replayed'], replayed)
    }
  })

  test('may be quoted or bare', async () => {
    const deal = await openDeal(service)
    const key = randomUUID()
    const path = `${DEALS}/${deal.id}/notes`
    await service.request('POST', path, { body: { text: 'once' }, ...keyed(`"${key}"`) })
    const again = await service.request('POST', path, { body: { text: 'once' }, ...keyed(key) })
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  test('is refused for another request', async () => {
    const deal = await openDeal(service)
    const other = await openDeal(service)
    const key = randomUUID()
    await service.request('POST', `${DEALS}/${deal.id}/holds`, { body: { reason: 'first' }, ...keyed(key) })
    for (const [method, path, body] of [
      ['POST', `${DEALS}/${deal.id}/holds`, { reason: 'second' }],
      ['POST', `${DEALS}/${other.id}/holds`, { reason: 'first' }],
      ['POST', `${DEALS}/${deal.id}/notes`, { text: 'first' }],
      ['PUT', `${DEALS}/${deal.id}`, { held: true, holdReason: 'first' }],
      ['PUT', `${DEALS}/${deal.id}/hold`, { reason: 'first', id: other.id }],
      ['POST', DEALS, { name: 'first', price: 1 }],
      ['DELETE', `${DEALS}/${deal.id}`, undefined],
    ] as const) {
      isReused(await service.request(method, path, { body, ...keyed(key) }), 'idempotency-key-reused')
    }
  })

  testOnEachStore('keeps a refusal for the state', async () => {
    const deal = await openDeal(service)
    const key = randomUUID()
    const path = `${DEALS}/${deal.id}/unhold`
    assert.equal((await service.request('PUT', path, keyed(key))).status, 409)
    await service.request('PUT', `${DEALS}/${deal.id}/hold`, { body: { reason: 'x' } })
    const again = await service.request('PUT', path, keyed(key))
    assert.equal(again.status, 409)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  testOnEachStore('and command ids are one space', async () => {
    const deal = await openDeal(service)
    const key = randomUUID()
    await service.request('PUT', `${DEALS}/${deal.id}/hold`, { body: { reason: 'x' }, ...keyed(key) })
    const same = await put(key, hold(deal, 'x'))
    assert.equal(same.status, 200)
    assert.equal(same.headers['idempotent-replayed'], 'true')
    isReused(await put(key, hold(deal, 'y')), 'command-id-reused')
    const id = randomUUID()
    await put(id, hold(deal, 'z'))
    const path = `${DEALS}/${deal.id}/holds`
    const again = await service.request('POST', path, { body: { reason: 'z' }, ...keyed(id) })
    assert.equal(again.status, 201)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    isReused(await service.request('POST', path, { body: { reason: 'w' }, ...keyed(id) }), 'idempotency-key-reused')
  })

  for (const key of ['', '""', 'a b', '"a', 'caf%', 'x'.repeat(129), 'a, b', 'report.json', '..']) {
    test(`that reads ${JSON.stringify(key.slice(0, 20))} is refused`, async () => {
      const deal = await openDeal(service)
      const answer = await service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text: 'x' }, ...keyed(key) })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'invalid-header')
      assert.partialDeepStrictEqual(answer.body.errors, [{ header: 'Idempotency-Key' }])
      assert.equal((await storedDeal(service, deal.id)).revision, 1)
    })
  }

  test('is refused on a command, which has an id of its own', async () => {
    const deal = await openDeal(service)
    for (const [method, path, body] of [
      ['PUT', `/rest/commands/${randomUUID()}`, hold(deal)],
      ['PUT', `${DEALS}/${deal.id}/commands/${randomUUID()}`, hold(deal)],
    ] as const) {
      const answer = await service.request(method, path, { body, ...keyed(randomUUID()) })
      assert.equal(answer.status, 400, `${method} ${path}`)
      assert.equal(answer.body.code, 'invalid-header')
    }
  })

  testOnEachStore('is decided once on every write to a customer, and gives the first answer again', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const path = `/customers/${customer.id}`
    for (const [method, at, body, status] of [
      ['POST', '/customers', { name: 'Ben' }, 201],
      ['PUT', path, { name: 'Ben' }, 200],
      ['PATCH', path, { age: 41 }, 200],
      ['POST', `${path}/edits`, { age: 42 }, 200],
      ['PATCH', path, { age: 42 }, 200],
      ['POST', `${path}/deletions`, {}, 204],
    ] as const) {
      const key = keyed(randomUUID())
      const first = await service.request(method, at, { body, ...key })
      assert.equal(first.status, status, `${method} ${at}`)
      const again = await service.request(method, at, { body, ...key })
      assert.equal(again.status, status)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual(again.body, first.body)
      const other = await service.request('POST', '/customers', { body: { name: 'Cleo' }, ...key })
      assert.equal(other.body.code, 'idempotency-key-reused')
    }
    assert.equal((await service.request('GET', path)).status, 404)
  })
})

suite('a command sent as it was read', () => {
  const resent = async (path: string) => {
    const shown = await service.request('GET', path)
    assert.equal(shown.status, 200)
    return { shown, again: await service.request('PUT', path, { body: shown.text }) }
  }

  testOnEachStore('is the same command: applied, rejected, one that made a deal, one under a key', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const made: readonly [string, object, number][] = [
      ['own-applied', { deal: deal.id, action: 'hold', params: { reason: 'x' } }, 200],
      ['own-rejected', { deal: deal.id, action: 'ArchiveDeal' }, 409],
      ['own-created', { action: 'CreateDeal', params: { name: 'Roof', price: 1.5 } }, 200],
    ]
    for (const [id, body, status] of made) {
      await service.request('PUT', `/rest/commands/${id}`, { body })
      const { shown, again } = await resent(`/rest/commands/${id}`)
      assert.equal(again.status, status, again.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      if (status === 200) assert.equal(again.text, shown.text)
      const inDeal = await resent(`${DEALS}/${shown.body.deal}/commands/${id}`)
      assert.equal(inDeal.again.status, status, inDeal.again.text)
    }
    await service.request('PATCH', path, { body: { name: 'Other' }, headers: { 'idempotency-key': 'own-update' } })
    assert.equal((await resent('/rest/commands/own-update')).again.status, 200)
  })

  test('is refused under another id, and what the service assigns under a new one', async () => {
    const deal = await openDeal(service)
    const body = { deal: deal.id, action: 'hold', params: { reason: 'x' } }
    await service.request('PUT', '/rest/commands/own-first', { body })
    const { text } = await service.request('GET', '/rest/commands/own-first')
    assert.equal((await service.request('PUT', '/rest/commands/own-second', { body: text })).status, 422)
    const assigned = await service.request('PUT', '/rest/commands/own-third', { body: { ...body, status: 'applied' } })
    assert.equal(assigned.status, 422)
    assert.deepEqual(saidFaults(assigned.body.errors), [{ pointer: '/status', detail: 'is set by the service' }])
    const other = { ...JSON.parse(text), params: { reason: 'y' } }
    assert.equal((await service.request('PUT', '/rest/commands/own-first', { body: other })).status, 409)
  })
})

suite('an id that ends like a format', () => {
  test('is refused when it is new, and stays valid when it is known', async () => {
    const deal = await openDeal(service)
    const body = { deal: deal.id, action: 'hold', params: { reason: 'x' } }
    for (const id of ['pay.json', 'pay.HTML']) {
      assert.equal((await service.request('PUT', `/rest/commands/${id}`, { body })).status, 400, id)
    }
    assert.equal((await service.request('PUT', '/rest/commands/before', { body })).status, 201)
    // As if it came from a release that did not know the format yet.
    await service.database.rows(`UPDATE commands SET id = 'before.xml' WHERE id = 'before'`)
    const again = await service.request('PUT', '/rest/commands/before.xml', { body })
    assert.equal(again.status, 200)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const shown = await service.request('GET', '/rest/commands/before.xml')
    assert.equal(shown.status, 200)
    assert.match(shown.text, /<id>before\.xml<\/id>/)
  })
})
