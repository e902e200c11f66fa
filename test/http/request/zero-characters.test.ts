import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { schema } from '../../support/schema.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'

const endpoints = endpointsOf(schema)

// U+0000, which PostgreSQL refuses in every text: what is looked up by it is not found, and nothing fails.

let service: ClosedService
let deal: string
before(async () => {
  service = await runClosedService({ RATE_LIMIT: 'off' })
  deal = (await ask('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })).body.id
})
after(() => service.close())

interface Asked {
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

const ask = (method: string, path: string, { body, headers }: Asked = {}) =>
  service.request(method, path, {
    headers: { ...bearer(service.keys.admin), ...headers },
    ...(body !== undefined && { body }),
  })

/** The address with the character in the place of one parameter after the other, the others as they may be. */
function addressesOf(path: string): readonly string[] {
  const known: { readonly [parameter: string]: string } = { ':id': deal, ':name': 'admin', ':resource': 'deals' }
  const parameters = path.match(/:\w+/g) ?? []
  return parameters.map((chosen) =>
    path.replaceAll(/:\w+/g, (parameter) => (parameter === chosen ? 'a%00b' : (known[parameter] ?? '1'))),
  )
}

test('every address with a parameter', async () => {
  for (const { method, path, reads = [] } of endpoints) {
    for (const address of addressesOf(path)) {
      const [type] = reads
      const body =
        type === undefined ? {} : { body: type.endsWith('json') ? '{}' : '', headers: { 'content-type': type } }
      const { status, text } = await ask(method, address, body)
      assert.ok(status < 500, `${method} ${address}: ${status} ${text}`)
    }
  }
})

testOnEachStore('the name of a user, and the id of a command', async () => {
  const command = { deal, action: 'HoldDeal', params: { reason: 'Wait' } }
  const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['GET', '/users/%00'],
    ['GET', '/users/%00/keys'],
    ['GET', '/users/%00/sessions'],
    ['GET', '/people/%00'],
    ['DELETE', '/users/%00'],
    ['PATCH', '/users/%00', { role: 'editor' }],
    ['PUT', '/users/%00/password', { password: 'four words in a row' }],
    ['POST', '/users/%00/keys', { name: 'laptop', role: 'reader' }],
    ['GET', '/rest/commands/%00'],
    ['GET', '/rest/commands/a%00b'],
    ['GET', `/rest/v1/deals/${deal}/commands/%00`],
  ]
  for (const [method, path, body] of asked) {
    const { status, text } = await ask(method, path, { body })
    assert.equal(status, 404, `${method} ${path}: ${text}`)
  }
  assert.equal((await ask('PUT', '/rest/commands/a%00b', { body: command })).status, 400)
})

test('a credential', async () => {
  for (const headers of [basic('a\0b'), basic('admin', 'a\0b')]) {
    const { status, text } = await service.request('GET', '/customers', { headers })
    assert.equal(status, 401, text)
  }
})

test('a sign-in', async () => {
  const body = new URLSearchParams({ name: 'a\0b', password: 'a\0b' })
  const { status } = await service.request('POST', '/sign-in', { body })
  assert.ok(status < 500, String(status))
})

testOnEachStore('the id of a command among others', async () => {
  const create = (id: string) => ({ id, action: 'CreateDeal', params: { name: 'Door', price: 1 } })
  const batch = { atomic: false, commands: [create('first'), create('a\0')] }
  const { results } = JSON.parse(await sent('/rest/v1/batch', 'application/json', JSON.stringify(batch)))
  assert.deepEqual(statusesOf(results), ['applied', 'rejected'])
  const lines = [create('a\0'), create('second')].map((each) => `${JSON.stringify(each)}\n`).join('')
  const answered = (await sent('/rest/commands', 'application/x-ndjson', lines)).trim().split('\n')
  assert.deepEqual(statusesOf(answered.map((line) => JSON.parse(line))), ['rejected', 'applied'])
})

const statusesOf = (results: readonly { readonly status: unknown }[]): readonly unknown[] =>
  results.map(({ status }) => status)

/** As a careless client sends it: /openapi.json forbids the id. */
async function sent(path: string, type: string, body: string): Promise<string> {
  const headers = { ...bearer(service.keys.admin), 'content-type': type }
  const answer = await fetch(new URL(path, service.url), { method: 'POST', headers, body })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return text
}

testOnEachStore('a filter, a search, a cursor and every door', async () => {
  const cursor = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')
  const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ...['q=%00', 'name=%00', 'name.contains=a%00b', 'owner=%00', 'id=%00', 'customer.name=%00', 'name.matches=%00'].map(
      (query) => ['GET', `/rest/v1/deals?${query}`] as const,
    ),
    ['GET', '/search?q=%00'],
    ['GET', `/rest/v1/deals?after=${cursor(['\0', '\0'])}`],
    ['GET', '/audit?actor=%00'],
    ['GET', '/events?after=%00'],
    ['GET', '/rest/v1/deals?revision=%00'],
    ['POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.get', params: { id: '\0' } }],
    ['POST', '/rpc', { jsonrpc: '2.0', id: '\0', method: 'commands.get', params: { id: '\0' } }],
    ['POST', '/graphql', { query: '{ deal(id: "\\u0000") { id } }' }],
    ['POST', '/graphql', { query: 'query($id: ID!) { deal(id: $id) { id } }', variables: { id: '\0' } }],
    ['GET', '/jsonapi/deals/%00'],
    ['GET', '/jsonapi/deals?filter[name]=%00'],
    ['GET', "/odata/Deals('%00')"],
    ['GET', "/odata/Deals?$filter=name%20eq%20'%00'"],
    ['GET', '/postgrest/deals?id=eq.%00'],
    ['GET', '/postgrest/deals?name=in.(%00,a)'],
  ]
  for (const [method, path, body] of asked) {
    const { status, text } = await ask(method, path, { body })
    assert.ok(status < 500, `${method} ${path}: ${status} ${text}`)
    assert.doesNotMatch(text, /internal/i, `${method} ${path}`)
  }
})
