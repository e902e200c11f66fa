import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { roomService } from '../../support/service/room-service.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

const form = new URLSearchParams({ name: 'A deal', price: '100' })
const json = { name: 'A deal', price: 100 }

suite('a change that another site’s page sends', () => {
  let open: TestService
  let closed: ClosedService
  before(async () => {
    ;[open, closed] = await Promise.all([
      roomService(),
      runClosedService({ BASE_URL: 'https://deals.example', CORS_ORIGINS: 'https://app.example' }),
    ])
  })
  after(() => closed.close())

  const post = async (service: TestService, headers: { readonly [name: string]: string }, body: unknown = form) => {
    const { status, body: problem } = await service.request('POST', '/rest/v1/deals', { body, headers })
    assert.equal(status === 403, problem?.code === 'cross-site-request')
    return status
  }

  test('is refused by what the browser says of its origin', async () => {
    for (const body of [form, json]) {
      assert.equal(await post(open, { 'sec-fetch-site': 'cross-site' }, body), 403)
      assert.equal(await post(open, { 'sec-fetch-site': 'same-site' }, body), 403)
      assert.equal(await post(open, { 'sec-fetch-site': 'same-origin' }, body), 201)
      assert.equal(await post(open, { 'sec-fetch-site': 'none' }, body), 201)
    }
  })

  test('is refused by its Origin, where the browser says no more', async () => {
    const host = new URL(open.url).host
    for (const body of [form, json]) {
      assert.equal(await post(open, { origin: 'http://evil.example' }, body), 403)
      assert.equal(await post(open, { origin: 'null' }, body), 403)
      assert.equal(await post(open, { origin: `http://${host}.evil.example` }, body), 403)
      assert.equal(await post(open, { origin: 'http://127.0.0.1:1' }, body), 403)
      assert.equal(await post(open, { origin: `http://${host}` }, body), 201)
    }
  })

  test('is refused for every method that changes', async () => {
    const headers = { origin: 'http://evil.example' }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await open.request(method, '/customers/1', { headers })).status, 403, method)
    }
    assert.equal((await open.request('GET', '/customers', { headers })).status, 200)
  })

  test('is let through from a program, which sends neither', async () => {
    assert.equal(await post(open, {}), 201)
  })

  test('is refused with a password, which browsers keep, and not with a key, which they do not', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal(await post(closed, { ...headers, ...basic('editor') }), 403)
    assert.equal(await post(closed, { ...headers, ...bearer(closed.keys.editor) }), 201)
  })

  test('is refused before the password is looked at', async () => {
    assert.equal(await post(closed, { origin: 'https://evil.example', ...basic('editor', 'wrong') }), 403)
  })

  test('is let through from BASE_URL and from CORS_ORIGINS', async () => {
    assert.equal(await post(closed, { origin: 'https://deals.example', ...basic('editor') }), 201)
    assert.equal(
      await post(closed, { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', ...basic('editor') }),
      201,
    )
  })
})

suite('pages of other origins', () => {
  test('read nothing unless they are named', async () => {
    const service = await roomService()
    const answer = await service.request('GET', '/', { headers: { origin: 'https://app.example' } })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers.vary, 'Accept, Accept-Encoding')
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const asked = await service.request('OPTIONS', '/customers/1', { headers: preflight })
    assert.equal(asked.headers['access-control-allow-methods'], undefined)
  })

  test('that are named read answers and problems, with a key of their own', async () => {
    const service = await runClosedService({ CORS_ORIGINS: 'https://app.example,https://b.example' })
    const origin = 'https://app.example'
    const answer = await service.request('GET', '/customers', { headers: { origin, ...bearer(service.keys.reader) } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['access-control-allow-origin'], origin)
    assert.equal(answer.headers.vary, 'Accept, Accept-Encoding, Origin')
    assert.match(answer.headers['access-control-expose-headers'] ?? '', /ETag.*Link.*Location/)
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    const problem = await service.request('GET', '/customers', { headers: { origin } })
    assert.deepEqual([problem.status, problem.headers['access-control-allow-origin']], [401, origin])
    const other = await service.request('GET', '/', { headers: { origin: 'https://evil.example' } })
    assert.equal(other.headers['access-control-allow-origin'], undefined)
    assert.equal(other.headers.vary, 'Accept, Accept-Encoding, Origin')
    await service.close()
  })

  test('read streams and what is not routed as everything else', async () => {
    const origin = 'https://app.example'
    const service = await runService({ CORS_ORIGINS: origin })
    const streamed = ['/customers.csv', '/customers.ndjson', '/customers.xlsx', '/rest/v1/deals.ics', '/events.atom']
    for (const path of [...streamed, '/customers.csv?limit=3', '/%zz']) {
      const { headers } = await service.request('GET', path, { headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], origin, path)
      assert.match(headers['access-control-expose-headers'] ?? '', /ETag/, path)
      assert.match(headers.vary ?? '', /^Accept, Accept-Encoding, Origin$/, path)
      const other = await service.request('GET', path, { headers: { origin: 'https://evil.example' } })
      assert.equal(other.headers['access-control-allow-origin'], undefined, path)
      assert.match(other.headers.vary ?? '', /Origin$/, path)
    }
    const commands = await service.request('POST', '/rest/commands', {
      body: '{"action":"CreateDeal","params":{"name":"A deal","price":1}}\n',
      headers: { origin, 'content-type': 'application/x-ndjson' },
    })
    assert.equal(commands.headers['access-control-allow-origin'], origin)
    const live = await fetch(`${service.url}/events`, { headers: { origin, accept: 'text/event-stream' } })
    assert.equal(live.headers.get('access-control-allow-origin'), origin)
    assert.equal(live.headers.get('vary'), 'Accept, Origin')
    await live.body?.cancel()
    await service.close()
  })

  test('ask first, without a credential, and learn the true methods', async () => {
    const service = await runClosedService({ CORS_ORIGINS: 'https://app.example' })
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const asked = await service.request('OPTIONS', '/customers/1', { headers })
    assert.equal(asked.status, 204)
    assert.equal(asked.headers['access-control-allow-methods'], 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
    assert.match(
      asked.headers['access-control-allow-headers'] ?? '',
      /Authorization.*Idempotency-Key.*If-Match.*If-Unmodified-Since/,
    )
    const evil = await service.request('OPTIONS', '/customers/1', {
      headers: { ...headers, origin: 'https://evil.example' },
    })
    assert.equal(evil.status, 401)
    await service.close()
  })
})
