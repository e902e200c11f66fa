import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { JSONRPCClient, type JSONRPCErrorException } from 'json-rpc-2.0'
import { resources } from '../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import type { Answered } from '../support/service/running-service.ts'
import { saidFaults } from '../support/service/said-faults.ts'

let service: ClosedService
let client: JSONRPCClient

before(async () => {
  service = await runClosedService()
  client = clientOf(service.keys.admin)
})

function clientOf(key: string): JSONRPCClient {
  const own = new JSONRPCClient(async (payload) => {
    const answer = await post(payload, bearer(key))
    if (answer.status !== 204) own.receive(JSON.parse(answer.text))
  })
  return own
}
after(() => service.close())

const post = (body: unknown, headers: { readonly [name: string]: string }): Promise<Answered> =>
  service.request('POST', '/rpc', { body, headers })

const ask = async (body: unknown): Promise<unknown> => {
  const { status, text } = await post(body, bearer(service.keys.admin))
  assert.equal(status, 200)
  return JSON.parse(text)
}

/** What an answer says, without the problem. */
const told = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'data' ? undefined : value)))

const refused = async (asked: PromiseLike<unknown>): Promise<JSONRPCErrorException> => {
  const error = await Promise.resolve(asked).then(
    () => assert.fail('it was not refused'),
    (cause: JSONRPCErrorException) => cause,
  )
  return error
}

interface ShownDeal {
  readonly id: string
  readonly name: string
  readonly held: boolean
  readonly revision: number
}

const create = (name: string): PromiseLike<ShownDeal> => client.request('deals.create', { name, price: 100 })

test('a client lists to the end, reads, creates, changes and is refused with the reason', async () => {
  const names = ['Alpha roof', 'Beta roof', 'Gamma roof', 'Delta shed']
  for (const name of names) await create(name)
  const seen: string[] = []
  let after: string | undefined
  do {
    const page: { items: ShownDeal[]; hasMore: boolean; total: number; after?: string } = await client.request(
      'deals.list',
      { filter: { name: { contains: 'roof' } }, sort: 'name', limit: 2, count: 'exact', ...(after && { after }) },
    )
    assert.equal(page.total, 3)
    seen.push(...page.items.map(({ name }) => name))
    after = page.after
  } while (after !== undefined)
  assert.deepEqual(seen, names.slice(0, 3))

  const { id, revision } = await create('Bridge')
  const held: ShownDeal = await client.request('deals.hold', { id, reason: 'credit check', expectedRevision: revision })
  assert.equal(held.held, true)
  assert.deepEqual(await client.request('deals.get', { id, fields: 'id,held' }), { id, held: true })
  const { items } = await client.request('search', { q: 'bridge' })
  assert.equal(items[0].id, id)

  const stale = await refused(client.request('deals.rename', { id, newName: 'Bridges', expectedRevision: revision }))
  assert.equal(stale.code, -32012)
  assert.equal(stale.data.code, 'stale-revision')
  const wrong = await refused(client.request('deals.complete', { id }))
  assert.equal(wrong.code, -32009)
  assert.partialDeepStrictEqual(wrong.data, { code: 'wrong-state', status: 409, operation: 'complete' })
  assert.match(wrong.data.instance, /^urn:/)
  const faulty = await refused(client.request('deals.hold', { id }))
  assert.equal(faulty.code, -32602)
  assert.deepEqual(saidFaults(faulty.data.errors), [{ pointer: '/reason', detail: 'is required' }])
  assert.equal((await refused(client.request('deals.get', { id: randomUUID() }))).code, -32004)
})

test('an id is read alike by what reads and what changes', async () => {
  const { id } = await client.request('customers.create', { name: 'Ana' })
  for (const method of ['customers.get', 'customers.change']) {
    for (const [sent, detail] of [
      [{ id: String(id) }, 'must be an integer'],
      [{}, 'is required'],
    ] as const) {
      const { code, data } = await refused(client.request(method, sent))
      assert.equal(code, -32602, method)
      assert.deepEqual(saidFaults(data.errors), [{ pointer: '/id', detail }])
    }
  }
})

test('no member of a list is passed over', async () => {
  const nobody = { filter: { name: 'Nobody' } }
  assert.deepEqual(await client.request('deals.list', nobody), { items: [], hasMore: false })
  const empty = await refused(client.request('deals.list', { ...nobody, empty: '404' }))
  assert.deepEqual([empty.code, empty.data.code, empty.data.detail], [-32004, 'empty-list', 'Nothing matches.'])
  const { data } = await refused(client.request('deals.list', { format: 'csv' }))
  assert.deepEqual(saidFaults(data.errors), [{ pointer: '/format', detail: 'is not known here' }])
})

test('a list compares with the smallest rates', async () => {
  for (const perUnit of [0.00000001, 0.00000015, 0.5]) {
    await client.request('rates.create', { currency: 'IRR', perUnit, since: '2026-11-01' })
  }
  const found = async (perUnit: object | number): Promise<readonly number[]> => {
    const { items } = await client.request('rates.list', { filter: { perUnit }, sort: 'perUnit' })
    return items.map((rate: { readonly perUnit: number }) => rate.perUnit)
  }
  assert.deepEqual(await found(0.00000001), [0.00000001])
  assert.deepEqual(await found({ lte: 0.00000015 }), [0.00000001, 0.00000015])
  assert.deepEqual(await found({ gt: -0.00000001, lt: 0.00000015 }), [0.00000001])
  const { data } = await refused(client.request('rates.list', { filter: { perUnit: 0.000000001 } }))
  assert.deepEqual(saidFaults(data.errors), [
    { pointer: '/filter/perUnit', detail: 'must be a decimal such as 1.0837' },
  ])
})

test('the same words name an operation as everywhere', async () => {
  for (const word of ['change-price', 'changePrice', 'ChangeDealPrice']) {
    const { id } = await create('Roof')
    const deal = await client.request(`deals.${word}`, { id, newPrice: 120, reason: 'more tiles' })
    assert.equal(deal.price, 120)
  }
  const { code, data } = await refused(client.request('deals.hodl', { id: 1 }))
  assert.equal(code, -32601)
  assert.match(data.detail, /did you mean deals\.hold\?/)
  for (const resource of resources) {
    for (const { name } of resource.operations) {
      const { code } = await refused(client.request(`${resource.plural}.${name}`, { zzzzzz: 1 }))
      assert.notEqual(code, -32601, `${resource.plural}.${name}`)
    }
  }
})

test('a guard of another type is a wrong parameter', async () => {
  const { id } = await create('Roof')
  for (const bad of [{ dryRun: 'yes' }, { expectedRevision: 0 }, { commandId: 7 }, { commandId: 'a b' }]) {
    assert.equal((await refused(client.request('deals.hold', { id, reason: 'x', ...bad }))).code, -32602)
  }
})

test('who does not get in is told so in the protocol', async () => {
  const { status, headers, text } = await post({ jsonrpc: '2.0', id: 1, method: 'deals.list' }, {})
  assert.equal(status, 401)
  assert.ok(headers['www-authenticate'])
  assert.partialDeepStrictEqual(JSON.parse(text), { jsonrpc: '2.0', error: { code: -32001 }, id: null })
  const admin = bearer(service.keys.admin)
  const read = await service.request('GET', '/rpc', { headers: admin })
  assert.equal(read.status, 405)
  assert.equal(read.headers.allow, 'POST, OPTIONS')
  assert.equal(JSON.parse(read.text).error.code, -32005)
  const typed = await post('<x/>', { ...admin, 'content-type': 'text/xml' })
  assert.equal(typed.status, 415)
  assert.equal(JSON.parse(typed.text).error.code, -32015)
  const below = await service.request('POST', '/rpc/deals', { headers: admin, body: {} })
  assert.equal(below.status, 404)
  assert.equal(JSON.parse(below.text).error.code, -32004)
  const large = await post(`"${'x'.repeat(1_100_000)}"`, admin)
  assert.equal(large.status, 413)
  assert.equal(JSON.parse(large.text).error.code, -32013)
})

// The examples of https://www.jsonrpc.org/specification, with methods that there are.
test('the methods are discovered, and the message of an error is the reason', async () => {
  const document = await client.request('rpc.discover', {})
  const methods = new Map(document.methods.map((each: { name: string }) => [each.name, each]))
  for (const { plural, operations } of resources)
    for (const { name } of operations) assert.ok(methods.has(`${plural}.${name}`), `${plural}.${name}`)
  const hold = methods.get('deals.hold') as { params: readonly { name: string; required: boolean }[] }
  assert.deepEqual(
    hold.params.map(({ name, required }) => [name, required]),
    [
      ['id', true],
      ['reason', true],
      ['commandId', false],
      ['expectedRevision', false],
      ['dryRun', false],
    ],
  )
  assert.ok(document.components.schemas.deal.properties.price)
  assert.equal((await refused(client.request('rpc.discover', { x: 1 }))).code, -32602)
  const { id } = await create('Discovered')
  const error = await refused(client.request('deals.unhold', { id }))
  assert.match(error.message, /^unhold is not allowed: the deal is not on hold/)
})

suite('as the specification says', () => {
  const error = (code: number, message: string, id: unknown = null) => ({
    jsonrpc: '2.0',
    error: { code, message },
    id,
  })
  const invalid = error(-32600, 'Invalid Request')

  test('named parameters in any order', async () => {
    const { id } = await create('Roof')
    for (const params of [
      { id, reason: 'x' },
      { reason: 'x', id },
    ]) {
      const answer = await ask({ jsonrpc: '2.0', method: 'deals.hold', params, id: 3 })
      assert.partialDeepStrictEqual(answer, { jsonrpc: '2.0', result: { id, held: true }, id: 3 })
    }
  })

  test('an id comes back as it was written, however long its number is', async () => {
    const admin = bearer(service.keys.admin)
    const asking = (id: string, method: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"id":9007199254740993}}`
    const ids = ['9007199254740993', '-9007199254740993', '0.1234567890123456789', '1.00000000000000000001', '1e400']
    for (const id of ids) {
      for (const method of ['customers.list', 'customers.get', 'foobar']) {
        const { text } = await post(asking(id, method), admin)
        assert.ok(text.endsWith(`,"id":${id}}`), text)
      }
      const { text } = await post(`{"id":${id}}`, admin)
      assert.ok(text.endsWith(`,"id":${id}}`), text)
    }
    const { text } = await post(`[${[...ids, '7', '"7"'].map((id) => asking(id, 'foobar'))},1]`, admin)
    assert.deepEqual(
      [...text.matchAll(/"id":([^}]*)}/g)].map(([, id]) => id),
      [...ids, '7', '"7"', 'null'],
    )
  })

  test('positional parameters are not taken', async () => {
    const answer = await ask({ jsonrpc: '2.0', method: 'deals.hold', params: [42, 23], id: 1 })
    assert.partialDeepStrictEqual(answer, { error: { code: -32602 }, id: 1 })
  })

  test('a notification is done and not answered', async () => {
    const { id } = await create('Roof')
    const { status, text } = await post(
      { jsonrpc: '2.0', method: 'deals.hold', params: { id, reason: 'x' } },
      bearer(service.keys.admin),
    )
    assert.equal(status, 204)
    assert.equal(text, '')
    assert.equal((await client.request('deals.get', { id })).held, true)
    assert.equal((await post({ jsonrpc: '2.0', method: 'foobar' }, bearer(service.keys.admin))).status, 204)
  })

  test('a method that there is not', async () => {
    assert.deepEqual(
      told(await ask({ jsonrpc: '2.0', method: 'foobar', id: '1' })),
      error(-32601, 'Method not found', '1'),
    )
  })

  test('invalid JSON', async () => {
    const parse = error(-32700, 'Parse error')
    assert.deepEqual(told(await ask('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]')), parse)
    assert.deepEqual(
      told(
        await ask('[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]'),
      ),
      parse,
    )
    assert.deepEqual(told(await ask('')), parse)
  })

  test('an invalid request object', async () => {
    assert.deepEqual(told(await ask({ jsonrpc: '2.0', method: 1, params: 'bar' })), invalid)
    assert.deepEqual(told(await ask({ jsonrpc: '2.0', method: 'foobar', id: {} })), invalid)
    assert.deepEqual(told(await ask({ method: 'foobar', id: 7 })), error(-32600, 'Invalid Request', 7))
  })

  test('unknown members: a list without its parameters would have everything', async () => {
    for (const name of ['param', 'Params', 'parms', 'trace']) {
      const sent = { jsonrpc: '2.0', method: 'deals.list', id: 8, [name]: { filter: { price: 1 } } }
      const detail = `${name} is not known here${name === 'trace' ? '.' : ', did you mean params?'}`
      assert.partialDeepStrictEqual(await ask(sent), { id: 8, error: { code: -32600, data: { detail } } })
    }
  })

  test('an empty array, and arrays of no requests', async () => {
    assert.deepEqual(told(await ask([])), invalid)
    assert.deepEqual(told(await ask([1])), [invalid])
    assert.deepEqual(told(await ask([1, 2, 3])), [invalid, invalid, invalid])
  })

  test('a batch answers each for itself, without its notifications', async () => {
    const { id } = await create('Roof')
    const answers = await ask([
      { jsonrpc: '2.0', method: 'deals.hold', params: { id, reason: 'x' }, id: '1' },
      { jsonrpc: '2.0', method: 'deals.unhold', params: { id } },
      { jsonrpc: '2.0', method: 'deals.unhold', params: { id }, id: '2' },
      { foo: 'boo' },
      { jsonrpc: '2.0', method: 'foo.get', params: { name: 'myself' }, id: '5' },
      { jsonrpc: '2.0', method: 'deals.get', params: { id, fields: 'held' }, id: null },
    ])
    assert.partialDeepStrictEqual(answers, [
      { jsonrpc: '2.0', result: { id, held: true }, id: '1' },
      { jsonrpc: '2.0', error: { code: -32009 }, id: '2' },
      { jsonrpc: '2.0', error: { code: -32600 }, id: null },
      { jsonrpc: '2.0', error: { code: -32601 }, id: '5' },
      { jsonrpc: '2.0', result: { held: false }, id: null },
    ])
  })

  test('a batch of notifications alone is not answered', async () => {
    const { id } = await create('Roof')
    const one = { jsonrpc: '2.0', method: 'deals.add-note', params: { id, text: 'Called.' } }
    const { status, text } = await post([one, one], bearer(service.keys.admin))
    assert.equal(status, 204)
    assert.equal(text, '')
    assert.equal((await client.request('deals.get', { id })).revision, 3)
  })

  test('a batch has at most 1,000 requests', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => ({ jsonrpc: '2.0', method: 'foobar', id }))
    assert.deepEqual(told(await ask(many)), invalid)
    assert.equal(((await ask(many.slice(1))) as unknown[]).length, 1000)
  })
})

test('a role that is not enough has a code of its own', async () => {
  const { id } = await create('Roof')
  const { code, data } = await refused(clientOf(service.keys.reader).request('deals.hold', { id, reason: 'x' }))
  assert.deepEqual([code, data.code], [-32003, 'forbidden'])
})
