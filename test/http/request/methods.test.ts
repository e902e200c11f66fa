import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { ways } from '../../support/deals/ways.ts'
import { isDrawn } from '../../support/inputs/drawn.ts'
import { schema } from '../../support/schema.ts'
import { DEALS, makeDeal, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

const endpoints = endpointsOf(schema)

let service: TestService
before(async () => {
  service = await roomService()
})

const paths = [...new Set(endpoints.map(({ path }) => path))]
/** A thing with a verb behind its id has the methods of the thing, and POST. */
const methodsAt = (path: string): Set<string> =>
  new Set(
    endpoints
      .filter((each) => each.path === path || each.path === path.replace(':target', ':id'))
      .map((each) => each.method),
  )

/** An address of the route; nothing needs to be there. */
const addressOf = (path: string): string =>
  path
    .replace(':target', `${randomUUID()}:hold`)
    .replaceAll(/:\w+/g, (name) => (name === ':hold' ? name : randomUUID()))

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND']

const listed = (allow: string | undefined): readonly string[] => (allow ?? '').split(', ').toSorted()

suite('the methods of an address', () => {
  for (const [nth, path] of paths.entries()) {
    const own = methodsAt(path)
    const allow = [...own, ...(own.has('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()

    test(`${path} allows ${allow.join(', ')}`, async () => {
      const addresses = path === '/' ? [path] : [addressOf(path), `${addressOf(path)}/`]
      for (const address of addresses) {
        const options = await service.request('OPTIONS', address)
        assert.equal(options.status, 204)
        assert.deepEqual(listed(options.headers.allow), allow)
      }
      const others = methods.filter((method) => !allow.includes(method))
      // With and without a slash by turns.
      for (const [at, method] of others.entries()) {
        if (!isDrawn(nth + at, 2)) continue
        const address = addresses[at % addresses.length] ?? path
        const headers = { 'content-type': 'application/json' }
        const answer = await service.request(method, address, { headers })
        assert.equal(answer.status, 405, `${method} ${address}`)
        assert.deepEqual(listed(answer.headers.allow), allow)
        if (method !== 'HEAD') assert.equal(answer.body.code, 'method-not-allowed')
      }
    })
  }

  test('that is not there answer 404 to every method', async () => {
    const deal = await openDeal(service)
    for (const path of [
      '/nothing',
      '/customer',
      '/rest/v1',
      `${DEALS}/${deal.id}/holding`,
      `${DEALS}/${deal.id}/holds/1/2`,
      '/command',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await service.request(method, path)
        assert.equal(answer.status, 404, `${method} ${path}`)
        assert.equal(answer.body.code, 'not-found')
        assert.match(String(answer.headers.vary), /Accept/)
      }
    }
  })

  test('are told whatever the type of a body is, or if there is none', async () => {
    for (const headers of [{}, { 'content-type': 'json' }, { 'content-type': 'a/b, c/d' }]) {
      for (const method of ['PUT', 'QUERY']) {
        const known = await service.request(method, '/health/live', { headers })
        assert.deepEqual([known.status, known.headers.allow], [405, 'GET, HEAD, OPTIONS'])
        assert.equal((await service.request(method, '/nothing', { headers })).status, 404)
      }
    }
  })

  test('of an unknown command answer 404 with the nearest', async () => {
    const answer = await service.request('POST', '/command/HoltDeal/', { body: {} })
    assert.equal(answer.status, 404)
    assert.match(answer.body.detail, /did you mean HoldDeal\?/)
  })
})

suite('HEAD', () => {
  test('is GET without the body', async () => {
    const deal = await openDeal(service)
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const held = await makeDeal(service, ways[0] ?? assert.fail())
    await service.request('PUT', '/rest/commands/head', {
      body: { deal: held, action: 'hold', params: { reason: 'x' } },
    })
    const self = `${DEALS}/${deal.id}`
    for (const path of [
      self,
      `${self}.xml`,
      `${self}.html`,
      `${self}/actions`,
      `${self}/history/1`,
      '/rest/commands/head',
      `${DEALS}/${held}/holds/2`,
      `/customers/${customer.id}`,
      '/rest',
      '/problems/wrong-state',
      '/health/live',
      '/health/ready',
      `${DEALS}/${randomUUID()}`,
    ]) {
      const got = await service.request('GET', path)
      const head = await service.request('HEAD', path)
      assert.equal(head.status, got.status, path)
      assert.equal(head.text, '')
      const { date: _a, 'request-id': _b, ...headers } = got.headers
      const { date: _c, 'request-id': _d, ...ofHead } = head.headers
      if (got.status === 200) assert.deepEqual(ofHead, headers, path)
    }
  })
})

suite('a trailing slash', () => {
  test('changes nothing', async () => {
    const deal = await openDeal(service)
    const self = `${DEALS}/${deal.id}`
    for (const path of [self, `${self}/actions`, `${self}/history/1`, '/rest', '/problems', '/health/live']) {
      assert.equal((await service.request('GET', `${path}/`)).text, (await service.request('GET', path)).text, path)
    }
    for (const slash of ['', '/']) {
      const body = { reason: 'x' }
      assert.equal((await service.request('PUT', `${self}/hold${slash}`, { body })).status, 200)
      assert.equal((await service.request('POST', `${self}/holds${slash}`, { body })).status, 201)
      const command = { action: 'hold', params: body }
      assert.equal(
        (await service.request('PUT', `${self}/commands/a${slash.length}${slash}`, { body: command })).status,
        201,
      )
      assert.equal(
        (await service.request('POST', `/command/HoldDeal${slash}`, { body: { id: deal.id, ...body } })).status,
        200,
      )
      assert.equal((await service.request('POST', `/customers${slash}`, { body: { name: 'Ana' } })).status, 201)
      assert.equal((await service.request('POST', `${DEALS}${slash}`, { body: { name: 'x', price: 1 } })).status, 201)
    }
    assert.equal((await service.request('DELETE', `${self}/`)).status, 204)
  })
})

suite('the version', () => {
  test('is listed under /rest', async () => {
    const { status, body } = await service.request('GET', '/rest')
    assert.equal(status, 200)
    assert.deepEqual(body.items, [{ version: 'v1', state: 'current', href: DEALS }])
  })

  test('that is unknown answers 404 naming the known', async () => {
    for (const path of [
      '/rest/v2',
      '/rest/v2/deals',
      `/rest/v2/deals/${randomUUID()}/hold`,
      '/rest/V1/deals',
      '/rest/1/deals/',
    ]) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const { status, body } = await service.request(method, path)
        assert.equal(status, 404, path)
        assert.partialDeepStrictEqual(body, { code: 'unknown-version', versions: ['v1'] })
        assert.match(body.detail, /v1/)
      }
    }
  })

  test('that will go says so in its headers, and only there', async () => {
    const soon = await runService({ DEPRECATED_VERSIONS: 'v1@2020-12-01..2120-06-30' })
    try {
      const created = await soon.request('POST', DEALS, { body: { name: 'x', price: 1 } })
      const self = `${DEALS}/${created.body.id}`
      for (const answer of [
        created,
        await soon.request('GET', self),
        await soon.request('PUT', `${self}/hold`, { body: {} }),
        await soon.request('GET', `${DEALS}/${randomUUID()}`),
        await soon.request('DELETE', self),
        await soon.request('OPTIONS', DEALS),
        await soon.request('PUT', DEALS),
      ]) {
        assert.equal(answer.headers.deprecation, '@1606780800')
        assert.equal(answer.headers.sunset, 'Sun, 30 Jun 2120 23:59:59 GMT')
        assert.match(String(answer.headers.link), /<\/rest>; rel="deprecation", <\/rest>; rel="sunset"/)
      }
      for (const path of ['/rest', '/rest/v1/nothing', '/customers/1', '/rest/commands/x', '/health/live']) {
        assert.equal((await soon.request('GET', path)).headers.deprecation, undefined, path)
      }
      assert.partialDeepStrictEqual((await soon.request('GET', '/rest')).body.items, [
        { version: 'v1', state: 'deprecated', deprecatedFrom: '2020-12-01', sunset: '2120-06-30' },
      ])
    } finally {
      await soon.close()
    }
  })
})
