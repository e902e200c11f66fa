import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { operationsOnExisting } from '../../../src/model/schema/resources.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { deal as dealResource } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

const dealOperations = operationsOnExisting(dealResource)

let service: TestService
before(async () => {
  service = await roomService()
})

const noted = { body: { text: 'noted' } }

suite('the answer to a creation', () => {
  testOnEachStore('is 201 with the address, the validators and the deal as a following GET shows it', async () => {
    const created = await service.request('POST', `${DEALS}/`, { body: { name: ' Forty machines ', price: 51800.5 } })
    assert.equal(created.status, 201)
    const { id, createdAt, updatedAt, links, ...fields } = created.body
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(updatedAt, createdAt)
    assert.deepEqual(fields, {
      name: 'Forty machines',
      price: 51800.5,
      currency: 'EUR',
      customerId: null,
      owner: null,
      description: '',
      pipeline: 'sales',
      stage: 'lead',
      completionDate: null,
      status: 'open',
      held: false,
      holdReason: null,
      archived: false,
      amercement: 0,
      paid: 0,
      completedOn: null,
      acceptedBy: null,
      closingReason: null,
      reference: null,
      deletedAt: null,
      revision: 1,
    })
    const self = `${DEALS}/${id}`
    assert.equal(created.headers.location, self)
    assert.equal(created.headers['last-modified'], new Date(String(createdAt)).toUTCString())
    assert.partialDeepStrictEqual(links, {
      self,
      collection: DEALS,
      history: `${self}/history`,
      actions: `${self}/actions`,
      operations: { hold: `${self}/hold`, complete: `${self}/complete` },
    })
    assert.equal(links.customer, undefined)
    const read = await service.request('GET', self)
    assert.equal(read.text, created.text)
    assert.equal(read.headers.etag, created.headers.etag)
    assert.equal(read.headers['last-modified'], created.headers['last-modified'])
    assert.equal(read.headers['content-type'], created.headers['content-type'])
    assert.equal(read.headers['cache-control'], 'private, no-cache')
    assert.match(String(read.headers.vary), /Accept/)
  })

  test('links to the customer of the deal', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const deal = await openDeal(service, { customerId: customer.id })
    assert.equal(deal.links.customer, `/customers/${customer.id}`)
  })

  test('is in the format that the client accepts, with that format’s tag', async () => {
    for (const [accept, type] of [
      ['application/xml', 'application/xml; charset=utf-8'],
      ['application/json', 'application/json'],
    ] as const) {
      const headers = { accept }
      const created = await service.request('POST', DEALS, { body: { name: 'x', price: 1 }, headers })
      assert.equal(created.headers['content-type'], type)
      const read = await service.request('GET', String(created.headers.location), { headers })
      assert.equal(read.text, created.text)
      assert.equal(read.headers.etag, created.headers.etag)
    }
  })

  test('has absolute links when a base address is set', async () => {
    const behind = await runService({ BASE_URL: 'https://deals.example.com/desk/' })
    try {
      const { body, headers } = await behind.request('POST', DEALS, { body: { name: 'x', price: 1 } })
      const self = `https://deals.example.com/desk${DEALS}/${body.id}`
      assert.equal(headers.location, self)
      assert.equal(body.links.self, self)
    } finally {
      await behind.close()
    }
  })

  test('takes the currency of the setting', async () => {
    const swiss = await runService({ CURRENCY: 'CHF' })
    try {
      assert.equal((await openDeal(swiss)).currency, 'CHF')
      assert.equal((await openDeal(swiss, { currency: 'EUR' })).currency, 'EUR')
    } finally {
      await swiss.close()
    }
  })
})

suite('the deletion of a deal', () => {
  testOnEachStore('answers 204; then the deal is gone and its history stays readable', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const deleted = await service.request('DELETE', path)
    assert.equal(deleted.status, 204)
    assert.equal(deleted.text, '')
    for (const address of [path, `${path}/actions`]) {
      const { status, body } = await service.request('GET', address)
      assert.equal(status, 410)
      assert.equal(body.code, 'deal-deleted')
    }
    assert.equal((await service.request('GET', `${path}/history/2`)).body.type, 'deal.deleted')
    assert.equal((await service.request('GET', `${path}/deletions/2`)).status, 200)
    assert.equal((await service.request('GET', `${path}/holds/2`)).body.code, 'entry-not-found')
  })

  test('has no parameters: an empty body with its type and an empty object are the same, others are told', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const refused = await service.request('DELETE', path, { body: { reason: 'x' } })
    assert.equal(refused.status, 422)
    assert.partialDeepStrictEqual(refused.body, { errors: [{ pointer: '/reason' }] })
    const headers = { 'content-type': 'application/json' }
    assert.equal((await service.request('DELETE', path, { headers })).status, 204)
    const other = await openDeal(service)
    const url = `${service.url}${DEALS}/${other.id}`
    assert.equal((await fetch(url, { method: 'DELETE', headers, body: '{}' })).status, 204)
  })
})

suite('the actions of a deal', () => {
  test('say what is allowed, why not, and with which parameters', async () => {
    const deal = await openDeal(service)
    const { body } = await service.request('GET', `${DEALS}/${deal.id}/actions`)
    const items = body.items as { readonly operation: string; readonly allowed: boolean; readonly reason?: string }[]
    assert.deepEqual(
      items.map(({ operation }) => operation),
      dealOperations.map(({ name }) => name),
    )
    assert.deepEqual(
      items.filter(({ allowed }) => allowed).map(({ operation }) => operation),
      Object.keys(deal.links.operations as unknown as object),
    )
    assert.partialDeepStrictEqual(
      items.find(({ operation }) => operation === 'unhold'),
      { action: 'UnholdDeal', allowed: false, reason: 'the deal is not on hold', params: { type: 'object' } },
    )
    assert.partialDeepStrictEqual(
      items.find(({ operation }) => operation === 'hold'),
      { allowed: true, params: { required: ['reason'], additionalProperties: false } },
    )
  })
})

suite('a conditional read', () => {
  test('answers 304 while the tag is current, weak or strong, alone or among others', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const { headers } = await service.request('GET', path)
    const etag = String(headers.etag)
    assert.match(etag, /^"[^"]+"$/)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await service.request('GET', path, { headers: { 'if-none-match': tags } })
      assert.equal(answer.status, 304, tags)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.etag, etag)
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
      assert.match(String(answer.headers.vary), /Accept/)
    }
    assert.equal((await service.request('HEAD', path, { headers: { 'if-none-match': etag } })).status, 304)
    await service.request('POST', `${path}/notes`, noted)
    assert.equal((await service.request('GET', path, { headers: { 'if-none-match': etag } })).status, 200)
  })

  test('looks at the date only when no tag was sent', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const { headers } = await service.request('GET', path)
    const since = String(headers['last-modified'])
    const status = async (sent: { [name: string]: string }) =>
      (await service.request('GET', path, { headers: sent })).status
    assert.equal(await status({ 'if-modified-since': since }), 304)
    assert.equal(await status({ 'if-modified-since': new Date(Date.parse(since) - 1000).toUTCString() }), 200)
    assert.equal(await status({ 'if-modified-since': 'yesterday' }), 200)
    assert.equal(await status({ 'if-modified-since': since, 'if-none-match': '"other"' }), 200)
  })

  test('has another tag for each format, and none for a page', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const tags = await Promise.all(
      ['json', 'xml', 'html'].map(async (format) => (await service.request('GET', `${path}.${format}`)).headers.etag),
    )
    assert.equal(new Set(tags).size, 3)
    assert.equal(tags[2], undefined)
    const asXml = await service.request('GET', `${path}.xml`, { headers: { 'if-none-match': String(tags[0]) } })
    assert.equal(asXml.status, 200)
    const accept = 'text/xml'
    const asText = await service.request('GET', path, { headers: { accept, 'if-none-match': String(tags[1]) } })
    assert.equal(asText.status, 200)
    const headers = { accept, 'if-match': String(asText.headers.etag), 'if-none-match': '"1-x"' }
    const noted = await service.request('PUT', `${path}/add-note`, { body: { text: 'x' }, headers })
    assert.equal(noted.status, 200)
    assert.equal(noted.headers.etag, (await service.request('GET', path, { headers: { accept } })).headers.etag)
  })

  test('works for entries, commands and customers', async () => {
    const deal = await openDeal(service)
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const command = `/rest/commands/${deal.id}`
    await service.request('PUT', command, { body: { deal: deal.id, action: 'AddDealNote', params: { text: 'x' } } })
    for (const path of [
      `${DEALS}/${deal.id}/history/1`,
      `${DEALS}/${deal.id}/notes/2`,
      command,
      `/customers/${customer.id}`,
    ]) {
      const { headers } = await service.request('GET', path)
      const again = await service.request('GET', path, { headers: { 'if-none-match': String(headers.etag) } })
      assert.equal(again.status, 304, path)
    }
  })
})

suite('a conditional write', () => {
  test('is done under the tag of any representation of the current revision', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    for (const format of ['json', 'xml', 'json']) {
      const { headers } = await service.request('GET', `${path}.${format}`)
      const answer = await service.request('POST', `${path}/notes`, {
        ...noted,
        headers: { 'if-match': String(headers.etag) },
      })
      assert.equal(answer.status, 201, format)
    }
    assert.equal(
      (await service.request('POST', `${path}/notes`, { ...noted, headers: { 'if-match': '*' } })).status,
      201,
    )
    const { headers } = await service.request('GET', path)
    const among = `"other", ${headers.etag}`
    assert.equal(
      (await service.request('POST', `${path}/notes`, { ...noted, headers: { 'if-match': among } })).status,
      201,
    )
  })

  testOnEachStore('is refused with the current tag under any other', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const { headers: old } = await service.request('GET', path)
    await service.request('POST', `${path}/notes`, noted)
    const { headers: now } = await service.request('GET', path)
    for (const tag of [old.etag, `W/${now.etag}`, '"2"', '"2-unknown"', '"other"']) {
      for (const [method, address, body] of [
        ['POST', `${path}/notes`, { text: 'x' }],
        ['PUT', `${path}/hold`, { reason: 'x' }],
        ['PUT', path, { price: 1 }],
        ['PUT', path, { action: 'hold', params: { reason: 'x' } }],
        ['PUT', `${path}/commands/stale`, { action: 'hold', params: { reason: 'x' } }],
        ['PUT', '/rest/commands/stale', { deal: deal.id, action: 'hold', params: { reason: 'x' } }],
        ['POST', '/command/HoldDeal', { id: deal.id, reason: 'x' }],
        ['DELETE', path, undefined],
      ] as const) {
        const answer = await service.request(method, address, { body, headers: { 'if-match': String(tag) } })
        assert.equal(answer.status, 412, `${method} ${address} ${tag}`)
        assert.equal(answer.body.code, 'stale-revision')
        assert.equal(answer.headers.etag, now.etag)
      }
    }
    for (const bad of ['2', 'x', '"2', '"2" "3"']) {
      const answer = await service.request('POST', `${path}/notes`, { ...noted, headers: { 'if-match': bad } })
      assert.equal(answer.status, 400, bad)
      assert.partialDeepStrictEqual(answer.body, { code: 'invalid-header', errors: [{ header: 'If-Match' }] })
    }
  })

  test('the tag of an answer is the one to write under next', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    let { etag } = (await service.request('GET', path)).headers
    for (const [method, part, body] of [
      ['PUT', '/hold', { reason: 'x' }],
      ['PUT', '/unholded', {}],
      ['PUT', '', { price: 2 }],
      ['PATCH', '', { price: 3 }],
    ] as const) {
      const answer = await service.request(method, path + part, { body, headers: { 'if-match': String(etag) } })
      assert.equal(answer.status, 200)
      assert.notEqual(answer.headers.etag, etag)
      etag = answer.headers.etag
    }
  })

  test('must state its revision when the service asks for it', async () => {
    const strict = await runService({ REQUIRE_IF_MATCH: 'true' })
    try {
      const deal = await openDeal(strict)
      const path = `${DEALS}/${deal.id}`
      for (const [method, address, body] of [
        ['POST', `${path}/notes`, { text: 'x' }],
        ['PUT', `${path}/hold`, { reason: 'x' }],
        ['PUT', `${path}/held`, { reason: 'x' }],
        ['PUT', path, { price: 1 }],
        ['PATCH', path, { price: 1 }],
        ['PUT', path, { action: 'hold', params: { reason: 'x' } }],
        ['PUT', `${path}/commands/c`, { action: 'hold', params: { reason: 'x' } }],
        ['PUT', '/rest/commands/c', { deal: deal.id, action: 'hold', params: { reason: 'x' } }],
        ['POST', '/command/HoldDeal', { id: deal.id, reason: 'x' }],
        ['DELETE', path, undefined],
      ] as const) {
        const answer = await strict.request(method, address, { body })
        assert.equal(answer.status, 428, `${method} ${address}`)
        assert.equal(answer.body.code, 'revision-required')
      }
      const { headers } = await strict.request('GET', path)
      const put = await strict.request('PUT', `${path}/hold`, {
        body: { reason: 'x' },
        headers: { 'if-match': String(headers.etag) },
      })
      assert.equal(put.status, 200)
      const fields = new URLSearchParams({ text: 'from a page', _revision: '2' })
      assert.equal((await strict.request('POST', `${path}/notes`, { body: fields })).status, 201)
      const { body: customer } = await strict.request('POST', '/customers', { body: { name: 'Ana' } })
      assert.equal((await strict.request('PATCH', `/customers/${customer.id}`, { body: { age: 3 } })).status, 428)
    } finally {
      await strict.close()
    }
  })
})

suite('a form for a deal that describes a new customer', () => {
  const LONGEST = 'must have at most 112 characters'
  const send = (fields: Record<string, string>, path = `${DEALS}/`) =>
    service.request('POST', path, { body: new URLSearchParams(fields), headers: { accept: 'text/html' } })
  const named = async (path: string, name: string) =>
    (await service.request('GET', `${path}?name=${encodeURIComponent(name)}`)).body.items as readonly Record<
      string,
      unknown
    >[]

  testOnEachStore('makes both in one commit, and once, however often it is sent', async () => {
    const fields = { name: 'Both', price: '1', '_customerId.name': 'Made Together', _command: 'both-1' }
    assert.equal((await send(fields)).status, 303)
    const again = await send(fields)
    assert.equal(again.status, 303)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const [customer, ...others] = await named('/customers', 'Made Together')
    assert.deepEqual(others, [])
    assert.deepEqual(
      (await named(DEALS, 'Both')).map(({ customerId }) => customerId),
      [customer?.id],
    )
  })

  test('is the command of its key, and another request under it is refused', async () => {
    const fields = { name: 'Keyed', price: '1', '_customerId.name': 'Keyed First', _command: 'keyed-1' }
    const first = await service.request('POST', `${DEALS}/`, { body: new URLSearchParams(fields) })
    assert.equal(first.status, 201)
    const { body } = await service.request('GET', '/rest/commands/keyed-1')
    assert.deepEqual([body.action, body.deal], ['CreateDeal', first.body.id])
    assert.equal((await service.request('GET', '/rest/commands/keyed-1.0')).body.customer, first.body.customerId)
    for (const other of [
      { name: 'Keyed', price: '2', customerId: String(first.body.customerId), _command: 'keyed-1' },
      { ...fields, price: '2' },
      { ...fields, '_customerId.name': 'Keyed Second' },
      { ...fields, '_customerId.email': 'no address' },
    ]) {
      const { status, body } = await service.request('POST', `${DEALS}/`, { body: new URLSearchParams(other) })
      assert.deepEqual([status, body.code], [422, 'idempotency-key-reused'], JSON.stringify(other))
    }
    const single = { name: 'Keyed', price: '1', _command: 'keyed-2' }
    assert.equal((await service.request('POST', `${DEALS}/`, { body: new URLSearchParams(single) })).status, 201)
    const late = await send({ ...single, '_customerId.name': 'Keyed Second' })
    assert.equal(late.status, 422)
    assert.equal((await named(DEALS, 'Keyed')).length, 2)
    assert.deepEqual(await named('/customers', 'Keyed Second'), [])
  })

  test('has a key that leaves room for the index of each command', async () => {
    const fields = { name: 'Long', price: '1', '_customerId.name': 'Long' }
    const body = new URLSearchParams({ ...fields, _command: 'k'.repeat(113) })
    const byField = await service.request('POST', `${DEALS}/`, { body })
    assert.deepEqual(
      [byField.status, saidFaults(byField.body.errors)],
      [400, [{ parameter: '_command', detail: LONGEST }]],
    )
    const headers = { 'idempotency-key': 'k'.repeat(113) }
    const byHeader = await service.request('POST', `${DEALS}/`, { body: new URLSearchParams(fields), headers })
    assert.deepEqual(
      [byHeader.status, saidFaults(byHeader.body.errors)],
      [400, [{ header: 'Idempotency-Key', detail: LONGEST }]],
    )
    assert.equal((await send({ ...fields, _command: 'k'.repeat(112) })).status, 303)
  })

  testOnEachStore('makes neither if one of them is refused, and reports the faults of both', async () => {
    const { status, text } = await send({ name: 'Neither', price: 'x', '_customerId.email': 'no address' })
    assert.equal(status, 422)
    assert.equal(text.match(/class="fault"/g)?.length, 3, 'the price, and the name and address of the customer')
    assert.deepEqual(await named(DEALS, 'Neither'), [])
  })

  testOnEachStore('changes the customer of a deal too, unless it is held', async () => {
    const { id } = await openDeal(service)
    const change = `${DEALS}/${id}/customer-changes`
    assert.equal((await send({ '_customerId.name': 'Changed To', _revision: '1' }, change)).status, 303)
    const [customer] = await named('/customers', 'Changed To')
    assert.equal((await service.request('GET', `${DEALS}/${id}`)).body.customerId, customer?.id)
    await service.request('POST', `${DEALS}/${id}/holds`, { body: { reason: 'x' } })
    assert.equal((await send({ '_customerId.name': 'Never Made' }, change)).status, 409)
    assert.deepEqual(await named('/customers', 'Never Made'), [])
  })

  test('shows in a dry run nothing that names the customer, who does not exist', async () => {
    const { id } = await openDeal(service)
    const tried = (path: string, fields: Record<string, string>) =>
      service.request('POST', `${path}?dry-run=true`, { body: new URLSearchParams(fields) })
    const fields = { name: 'Tried', price: '1', '_customerId.name': 'Tried' }
    const created = await tried(`${DEALS}/`, fields)
    assert.equal(created.status, 200)
    assert.equal(created.body.name, 'Tried')
    assert.equal('customerId' in created.body, false)
    assert.deepEqual(Object.keys(created.body.links), ['collection'])
    const changed = await tried(`${DEALS}/${id}/customer-changes`, { '_customerId.name': 'Tried' })
    assert.deepEqual([changed.status, changed.body.operation, changed.body.params], [200, 'change-customer', {}])
    assert.equal((await send({ ...fields, _command: 'tried-1' })).status, 303)
    const [customer] = await named('/customers', 'Tried')
    const repeated = await tried(`${DEALS}/`, { ...fields, _command: 'tried-1' })
    assert.equal(repeated.body.customerId, customer?.id)
  })

  test('does not take one that was chosen as well', async () => {
    const { status, text } = await send({ name: 'Two', price: '1', customerId: '1', '_customerId.name': 'Too many' })
    assert.equal(status, 422)
    assert.match(text, /cannot be chosen together with a new one/)
  })
})
