import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import type { GivenRow } from '../../../src/model/intent/import-rows.ts'
import { importAllCustomers } from '../../support/database/import-customers.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal, storedDeal } from '../../support/service/making-deals.ts'
import { type Answered, runService, type Shown, type TestService } from '../../support/service/running-service.ts'

let service: TestService
let strict: TestService
before(async () => {
  service = await runService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  strict = await runService({ REQUIRE_IF_MATCH: 'true' })
})
after(() => Promise.all([service.close(), strict.close()]))

type Sent = { readonly [header: string]: string }

/** A write of a thing that exists, in one of its forms. */
interface Write {
  readonly method: string
  readonly path: string
  readonly body?: object
}

function writesOf(deal: string): readonly Write[] {
  const path = `${DEALS}/${deal}`
  const params = { reason: 'x' }
  return [
    { method: 'PUT', path: `${path}/hold`, body: params },
    { method: 'PUT', path: `${path}/holded`, body: params },
    { method: 'PUT', path, body: { action: 'HoldDeal', params } },
    { method: 'PUT', path, body: { held: true, holdReason: 'x' } },
    { method: 'PATCH', path, body: { held: true, holdReason: 'x' } },
    { method: 'POST', path: `${path}/holds`, body: params },
    { method: 'POST', path: '/command/HoldDeal/', body: { id: deal, ...params } },
    { method: 'DELETE', path },
  ]
}

const commandsTo = (deal: string): readonly Write[] => [
  { method: 'PUT', path: `${DEALS}/${deal}/commands/${randomUUID()}`, body: { action: 'delete' } },
  { method: 'PUT', path: `/rest/commands/${randomUUID()}`, body: { deal, action: 'delete' } },
]

const writesOfCustomer = (id: string): readonly Write[] => [
  { method: 'PUT', path: `/customers/${id}`, body: { name: 'Ben' } },
  { method: 'PATCH', path: `/customers/${id}`, body: { name: 'Ben' } },
  { method: 'POST', path: `/customers/${id}/edits`, body: { name: 'Ben' } },
  { method: 'POST', path: `/customers/${id}/deletions` },
  { method: 'DELETE', path: `/customers/${id}` },
]

const writesOfWebhook = (id: string): readonly Write[] => [
  { method: 'POST', path: `/webhooks/${id}/rotations`, body: {} },
  { method: 'POST', path: `/webhooks/${id}/removals` },
  { method: 'DELETE', path: `/webhooks/${id}` },
]

const send = ({ method, path, body }: Write, headers: Sent = {}, to = service): Promise<Answered> =>
  to.request(method, path, { ...(body !== undefined && { body }), headers })

async function newCustomer(to = service): Promise<Shown> {
  return (await to.request('POST', '/customers', { body: { name: 'Ana' } })).body
}

async function newWebhook(): Promise<Shown> {
  return (await service.request('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' } })).body
}

const earlier = new Date(2001, 0, 1).toUTCString()
const dateOf = (instant: unknown): string => new Date(String(instant)).toUTCString()

suite('a precondition that does not hold is 412, and nothing is done', () => {
  async function nothingIsDone(address: string, writes: readonly Write[], headers: Sent): Promise<void> {
    const was = await service.request('GET', address)
    for (const write of writes) {
      const answer = await send(write, headers)
      assert.equal(answer.status, 412, `${write.method} ${write.path} ${JSON.stringify(headers)}: ${answer.text}`)
      assert.equal(answer.headers.etag, was.headers.etag)
    }
    assert.equal((await service.request('GET', address)).text, was.text)
  }

  const failing: readonly [string, (tag: string) => Sent][] = [
    ['If-Unmodified-Since', () => ({ 'if-unmodified-since': earlier })],
    ['If-None-Match with *', () => ({ 'if-none-match': '*' })],
    ['If-None-Match with the current tag', (tag) => ({ 'if-none-match': `"x", W/${tag}` })],
    ['If-None-Match behind an If-Match that holds', (tag) => ({ 'if-match': tag, 'if-none-match': '*' })],
    ['If-Match, whatever the date', () => ({ 'if-match': '"x"', 'if-unmodified-since': new Date().toUTCString() })],
  ]
  for (const [name, headersFor] of failing) {
    test(`${name}, on every write of a deal, a customer and a webhook`, async () => {
      const { id } = await openDeal(service)
      const customer = await newCustomer()
      const webhook = await newWebhook()
      for (const [address, writes] of [
        [`${DEALS}/${id}`, writesOf(id)],
        [`/customers/${customer.id}`, writesOfCustomer(customer.id)],
        [`/webhooks/${webhook.id}`, writesOfWebhook(webhook.id)],
      ] as const) {
        const { headers } = await service.request('GET', address)
        await nothingIsDone(address, writes, headersFor(String(headers.etag)))
      }
    })
  }

  test('If-Match, where a creation has nothing to match, while If-None-Match: * passes', async () => {
    const creations: readonly Write[] = [
      { method: 'POST', path: `${DEALS}/`, body: { name: 'Roof', price: 1 } },
      { method: 'POST', path: '/command/CreateDeal', body: { name: 'Roof', price: 1 } },
      { method: 'PUT', path: '/rest/commands/made-once', body: { action: 'create', params: { name: 'R', price: 1 } } },
      { method: 'POST', path: '/customers', body: { name: 'Ana' } },
      { method: 'POST', path: '/webhooks', body: { url: 'http://127.0.0.1:9/' } },
    ]
    for (const creation of creations) {
      for (const tags of ['*', '"1-x"']) {
        const refused = await send(creation, { 'if-match': tags })
        assert.equal(refused.status, 412, `${creation.path} ${refused.text}`)
        assert.equal(refused.headers.etag, undefined)
        // Before what is wrong with the body.
        const body = 'action' in (creation.body ?? {}) ? { action: 'create', params: { nme: 1 } } : { nme: 1 }
        assert.equal((await send({ ...creation, body }, { 'if-match': tags })).status, 412, creation.path)
      }
      const made = await send(creation, { 'if-none-match': '*', 'if-unmodified-since': earlier })
      assert.ok(made.status === 201 || made.status === 200, `${creation.path} ${made.text}`)
    }
  })

  test('before bad parameters and a wrong state, but after a deal that is not there', async () => {
    const { id } = await openDeal(service)
    const wrong = { method: 'PUT', path: `${DEALS}/${id}/unhold`, body: { bad: 1 } }
    for (const headers of [{ 'if-unmodified-since': earlier }, { 'if-none-match': '*' }]) {
      assert.equal((await send(wrong, headers)).status, 412)
      assert.equal((await send({ ...wrong, body: {} }, headers)).status, 412)
      for (const write of writesOf(randomUUID())) assert.equal((await send(write, headers)).status, 404, write.path)
      for (const write of writesOfCustomer('999')) assert.equal((await send(write, headers)).status, 404, write.path)
    }
  })

  testOnEachStore('of fifty writers with one date at most one wins', async () => {
    const { id } = await openDeal(service)
    const { headers } = await service.request('GET', `${DEALS}/${id}`)
    const since = { 'if-unmodified-since': String(headers['last-modified']) }
    const write = { method: 'POST', path: `${DEALS}/${id}/notes`, body: { text: 'x' } }
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => send(write, since)))).map(
      (each) => each.status,
    )
    // The winner's state may be one of two in its second: then no date tells them apart, and the others are refused.
    assert.deepEqual([...new Set(statuses)].toSorted(), [201, 412])
    const { revision } = await storedDeal(service, id)
    assert.equal(statuses.filter((status) => status === 201).length, revision - 1)
    assert.equal(revision, 2)
  })
})

suite('at the address of a command', () => {
  test('If-None-Match speaks of the command and comes before the replay', async () => {
    const { id } = await openDeal(service)
    for (const command of commandsTo(id).map((each) => ({ ...each, body: { ...each.body, action: 'hold' } }))) {
      const write = { ...command, body: { ...command.body, params: { reason: 'x' } } }
      const made = await send(write, { 'if-none-match': '*' })
      assert.equal(made.status, 201, made.text)
      const again = await send(write, { 'if-none-match': '*' })
      assert.equal(again.status, 412)
      assert.equal(again.headers.etag, made.headers.etag)
      assert.equal((await send(write, { 'if-none-match': String(made.headers.etag) })).status, 412)
      assert.equal((await send(write, { 'if-none-match': '"other"' })).status, 200)
      assert.equal((await send(write)).headers['idempotent-replayed'], 'true')
    }
  })

  test('everything else speaks of the deal', async () => {
    const { id } = await openDeal(service)
    const { headers } = await service.request('GET', `${DEALS}/${id}`)
    for (const write of commandsTo(id)) {
      for (const sent of [{ 'if-match': '"other"' }, { 'if-unmodified-since': earlier }]) {
        const answer = await send(write, sent)
        assert.equal(answer.status, 412)
        assert.equal(answer.headers.etag, headers.etag)
      }
    }
    const [write] = commandsTo(id)
    assert.ok(write)
    assert.equal((await send(write, { 'if-match': String(headers.etag), 'if-none-match': '*' })).status, 201)
  })
})

suite('a precondition that holds lets the write through', () => {
  test('of whatever form, with the tag of any representation', async () => {
    for (const at of writesOf('').keys()) {
      const { id } = await openDeal(service)
      const { headers } = await service.request('GET', `${DEALS}/${id}.xml`)
      const write = writesOf(id)[at]
      assert.ok(write)
      const held = {
        'if-match': `"other",, ${headers.etag} ,`,
        'if-unmodified-since': earlier,
        'if-none-match': ', "other",',
      }
      const answer = await send(write, held)
      assert.ok(answer.status < 300, `${write.method} ${write.path}: ${answer.text}`)
    }
  })

  testOnEachStore('by date, of a deal and of a customer that were changed', async () => {
    const deal = await openDeal(service)
    const customer = await newCustomer()
    await send({ method: 'PATCH', path: `${DEALS}/${deal.id}`, body: { name: 'Other' } })
    await send({ method: 'PATCH', path: `/customers/${customer.id}`, body: { name: 'Other' } })
    // The change came in another second than what was before it.
    await service.database.rows(`UPDATE deals SET previous_at = '2020-01-01T00:00:00.000Z' WHERE id = ?`, deal.id)
    await service.database.rows(
      `UPDATE customers SET previous_at = '2020-01-01T00:00:00.000Z' WHERE id = ${customer.id}`,
    )
    for (const address of [`${DEALS}/${deal.id}`, `/customers/${customer.id}`]) {
      const { headers } = await service.request('GET', address)
      const date = String(headers['last-modified'])
      assert.equal((await send({ method: 'GET', path: address }, { 'if-modified-since': date })).status, 304)
      assert.equal((await send({ method: 'GET', path: address }, { 'if-unmodified-since': date })).status, 200)
      const write = { method: 'PATCH', path: address, body: { name: 'Third' } }
      assert.equal((await send(write, { 'if-unmodified-since': date })).status, 200)
    }
  })

  test('which is read by the three forms of a date; what is none is ignored', async () => {
    const { id, updatedAt } = await openDeal(service)
    const path = `${DEALS}/${id}`
    const now = new Date(String(updatedAt))
    const [day, date, month, year, time] = dateOf(updatedAt).replace(',', '').split(' ')
    const weekday = now.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    for (const held of [
      `${day}, ${date} ${month} ${year} ${time} GMT`,
      `${weekday}, ${date}-${month}-${String(year).slice(2)} ${time} GMT`,
      `${day} ${month} ${String(now.getUTCDate()).padStart(2)} ${time} ${year}`,
      'Sun, 32 Nov 2020 04:05:05 GMT',
      'yesterday',
      '2001-01-01T00:00:00Z',
    ]) {
      const answer = await send({ method: 'GET', path }, { 'if-unmodified-since': held })
      assert.equal(answer.status, 200, held)
    }
    for (const past of ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']) {
      assert.equal((await send({ method: 'GET', path }, { 'if-unmodified-since': past })).status, 412, past)
    }
  })
})

suite('a header that is no list of tags', () => {
  test('is 400 and named, on reads and writes', async () => {
    const { id } = await openDeal(service)
    const reads = [`${DEALS}/${id}`, '/customers', DEALS].map((path) => ({ method: 'GET', path }))
    for (const name of ['If-Match', 'If-None-Match']) {
      for (const bad of ['2', '"2', '"2" "3"', ',', '*, "2"', '"a"x']) {
        for (const request of [...reads, ...writesOf(id), ...commandsTo(id)]) {
          const answer = await send(request, { [name.toLowerCase()]: bad })
          assert.equal(answer.status, 400, `${request.method} ${request.path} ${name}: ${bad}`)
          assert.partialDeepStrictEqual(answer.body, { code: 'invalid-header', errors: [{ header: name }] })
        }
      }
    }
  })
})

suite('a read', () => {
  test('is refused when If-Match or If-Unmodified-Since does not hold', async () => {
    const { id } = await openDeal(service)
    const path = `${DEALS}/${id}`
    const { headers } = await service.request('GET', path)
    for (const method of ['GET', 'HEAD']) {
      const asked = { method, path }
      const failed = await send(asked, { 'if-match': '"nope"', 'if-none-match': String(headers.etag) })
      assert.equal(failed.status, 412)
      assert.equal(failed.headers.etag, headers.etag)
      assert.equal((await send(asked, { 'if-unmodified-since': earlier })).status, 412)
      assert.equal((await send(asked, { 'if-match': String(headers.etag) })).status, 200)
      assert.equal((await send(asked, { 'if-match': '*' })).status, 200)
      const xml = await send({ method, path: `${path}.xml` }, { 'if-match': String(headers.etag) })
      assert.equal(xml.status, 200, 'the tag of any representation')
    }
    const page = { method: 'GET', path: `${path}.html` }
    assert.equal((await send(page, { 'if-match': '"nope"' })).status, 412)
    assert.equal((await send(page, { 'if-match': String(headers.etag) })).status, 200)
    assert.equal((await send(page, { 'if-modified-since': new Date().toUTCString() })).status, 200, 'shows more')
    assert.equal((await send({ method: 'GET', path: '/customers' }, { 'if-match': '"x"' })).status, 412)
    assert.equal((await send({ method: 'GET', path: `${DEALS}/${randomUUID()}` }, { 'if-match': '*' })).status, 404)
  })

  test('ignores empty elements of If-None-Match', async () => {
    const { id } = await openDeal(service)
    const { headers } = await service.request('GET', `${DEALS}/${id}`)
    for (const list of [`${headers.etag},`, `, ,\t${headers.etag}`, `"x",,${headers.etag} ,`]) {
      assert.equal((await send({ method: 'GET', path: `${DEALS}/${id}` }, { 'if-none-match': list })).status, 304, list)
    }
  })

  test('that is answered with 304 tells no length', async () => {
    const { id } = await openDeal(service)
    const { headers } = await service.request('GET', `${DEALS}/${id}`)
    for (const method of ['GET', 'HEAD']) {
      const answer = await send({ method, path: `${DEALS}/${id}` }, { 'if-none-match': String(headers.etag) })
      assert.equal(answer.status, 304)
      assert.equal(answer.headers['content-length'], undefined, method)
      assert.equal(answer.headers['content-type'], undefined, method)
      assert.equal(answer.headers.etag, headers.etag)
    }
  })
})

suite('a second with two states', () => {
  /** Changes the thing until two states fall into one second. */
  async function changedTwiceInASecond(address: string): Promise<string> {
    for (let n = 0; ; n++) {
      const before = await service.request('GET', address)
      const { body } = await send({ method: 'PATCH', path: address, body: { name: `Name ${n}` } })
      if (dateOf(body.updatedAt) === before.headers['last-modified']) return dateOf(body.updatedAt)
    }
  }

  testOnEachStore('is told apart by no date: not 304, and no write', async () => {
    const deal = await openDeal(service)
    const customer = await newCustomer()
    for (const address of [`${DEALS}/${deal.id}`, `/customers/${customer.id}`]) {
      const date = await changedTwiceInASecond(address)
      assert.equal((await send({ method: 'GET', path: address }, { 'if-modified-since': date })).status, 200)
      const write = { method: 'PATCH', path: address, body: { name: 'Last' } }
      assert.equal((await send(write, { 'if-unmodified-since': date })).status, 412)
      const later = new Date(Date.parse(date) + 1000).toUTCString()
      assert.equal((await send({ method: 'GET', path: address }, { 'if-modified-since': later })).status, 304)
    }
  })
})

test('a date stands for no state where an earlier release did not keep when the one before began', async () => {
  const deal = await openDeal(service)
  const path = `${DEALS}/${deal.id}`
  const { body } = await send({ method: 'PATCH', path, body: { name: 'Second' } })
  await service.database.rows('UPDATE deals SET previous_at = NULL WHERE id = ?', deal.id)
  const since = { 'if-modified-since': dateOf(body.updatedAt) }
  assert.equal((await send({ method: 'GET', path }, since)).status, 200)
  const first = await openDeal(service)
  const made = { 'if-modified-since': dateOf(first.updatedAt) }
  assert.equal((await send({ method: 'GET', path: `${DEALS}/${first.id}` }, made)).status, 304)
})

suite('a tag', () => {
  const imported = (given: GivenRow) => importAllCustomers(service.store, [[given]])

  testOnEachStore('does not come back when a deleted customer comes back by import', async () => {
    const { id, createdAt } = await newCustomer()
    const path = `/customers/${id}`
    const { headers } = await service.request('GET', path)
    assert.equal((await send({ method: 'DELETE', path })).status, 204)
    await imported({ id: Number(id), name: 'Somebody else', createdAt: String(createdAt) })
    const now = await service.request('GET', path)
    assert.equal(now.body.revision, 3)
    assert.notEqual(now.headers.etag, headers.etag)
    assert.equal((await send({ method: 'GET', path }, { 'if-none-match': String(headers.etag) })).status, 200)
    const write = { method: 'PATCH', path, body: { name: 'Lost' } }
    assert.equal((await send(write, { 'if-match': String(headers.etag) })).status, 412)
  })
})

suite('where If-Match is required', () => {
  test('nothing else stands in for it, and a creation needs none', async () => {
    const { id } = await openDeal(strict)
    const customer = await newCustomer(strict)
    for (const write of [...writesOf(id), ...commandsTo(id), ...writesOfCustomer(customer.id)]) {
      assert.equal((await send(write, {}, strict)).status, 428, write.path)
      const dated = { 'if-unmodified-since': new Date().toUTCString(), 'if-none-match': '"x"' }
      assert.equal((await send(write, dated, strict)).status, 428, write.path)
    }
  })
})
