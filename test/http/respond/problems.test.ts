import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { problemType, problemTypes } from '../../../src/http/contract/problems/problem-types.ts'
import { schema } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

const types = Object.entries(problemTypes(schema))

suite('a problem', () => {
  for (const [code, { status, title, meaning, remedy }] of types) {
    test(`of type ${code} is explained at its address`, async () => {
      const answer = await service.request('GET', `/problems/${code}`)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { code, status, title, meaning, remedy })
      const page = await service.request('GET', `/problems/${code}`, { headers: { accept: 'text/html' } })
      assert.match(String(page.headers['content-type']), /^text\/html/)
    })
  }

  test('is listed with all the others', async () => {
    const { body } = await service.request('GET', '/problems')
    assert.deepEqual(
      (body.items as { readonly code: string; readonly href: string }[]).map(({ code, href }) => [code, href]),
      types.map(([code]) => [code, `/problems/${code}`]),
    )
    assert.equal((await service.request('GET', '/problems/constructor')).status, 404)
  })

  test('of a batch that is refused tells why in values, and in the language of the reader', async () => {
    const deal = await openDeal(service)
    const body = { atomic: true, commands: [{ deal: deal.id, action: 'unhold', params: {} }] }
    const refused = await service.request('POST', '/rest/v1/batch', { body })
    const [{ code, with: facts, detail } = {}] = refused.body.errors ?? []
    assert.deepEqual(
      [code, facts?.problem, detail],
      ['refused', 'wrong-state', 'unhold is not allowed: the deal is not on hold.'],
    )
    assert.partialDeepStrictEqual(facts?.why, { with: { operation: 'unhold', why: { code: 'deal-not-held' } } })
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const page = await service.request('POST', '/rest/v1/batch', { body, headers })
    assert.match(page.text, /unhold ist nicht möglich: der Deal ist nicht zurückgestellt\./)
  })

  test('names a member of a list by the list and its place', async () => {
    const requires = ['price', 'nothing']
    const stages = [{ name: 'due', title: 'Due', likelihood: 60, requires }]
    const { status, body } = await service.request('POST', '/pipelines', {
      body: { name: 'renewals', title: 'Renewals', stages },
    })
    assert.deepEqual([status, body.detail], [422, 'stages/0/requires/1 is not known here'])
  })

  test('has the members of RFC 9457, in JSON, XML and on a page', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}/hold`
    const { status, headers, body } = await service.request('PUT', path, { body: {} })
    assert.equal(status, 422)
    assert.equal(headers['content-type'], 'application/problem+json')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers.vary), /Accept/)
    const { instance, ...members } = body
    assert.match(String(instance), /^urn:dealdesk:request:[\w-]+$/)
    assert.deepEqual(members, {
      type: '/problems/invalid-body',
      title: problemType('invalid-body').title,
      status: 422,
      detail: 'reason is required',
      code: 'invalid-body',
      errors: [{ pointer: '/reason', code: 'required', detail: 'is required' }],
    })
    for (const [accept, type] of [
      ['application/xml', 'application/problem+xml'],
      ['text/html', 'text/html'],
      ['text/csv', 'application/problem+json'],
      ['image/png', 'application/problem+json'],
    ] as const) {
      const answer = await service.request('PUT', path, { body: {}, headers: { accept } })
      assert.ok(String(answer.headers['content-type']).startsWith(type), `${accept}: ${answer.headers['content-type']}`)
    }
  })

  test('tells programs each fault by its code and its facts, which a sentence is made of', async () => {
    const fault = async (method: string, path: string, sent: object = {}) => {
      const { body } = await service.request(method, path, sent)
      assert.equal(body.errors.length, 1, body.detail)
      return body.errors[0]
    }
    const creating = (more: object) => fault('POST', '/customers', { body: { name: 'Ana', ...more } })
    assert.deepEqual(await creating({ nam: 'x' }), {
      pointer: '/nam',
      code: 'unknown',
      with: { near: 'name' },
      detail: 'is not known here, did you mean name?',
    })
    assert.deepEqual(await creating({ name: 7 }), {
      pointer: '/name',
      code: 'type',
      with: { wants: 'string' },
      detail: 'must be a string',
    })
    assert.deepEqual(await creating({ name: '' }), { pointer: '/name', code: 'blank', detail: 'must not be empty' })
    assert.deepEqual(await fault('GET', '/customers?age=x'), {
      parameter: 'age',
      code: 'malformed',
      with: { wants: 'integer' },
      detail: 'must be an integer such as 18',
    })
    assert.deepEqual(await fault('GET', `/customers?filter=${encodeURIComponent('{"age":"x"}')}`), {
      parameter: 'filter',
      code: 'at-pointer',
      with: { pointer: '/age', why: { code: 'type', with: { wants: 'number' } } },
      detail: 'at /age must be a number',
    })
    assert.deepEqual(await fault('POST', '/webhooks', { body: {}, headers: { 'if-match': 'x' } }), {
      header: 'If-Match',
      code: 'malformed',
      with: { wants: 'entity-tags' },
      detail: 'must be * or a list of entity tags such as "7-x"',
    })
    const long = await creating({ [`${'x'.repeat(2000)}\u0007`]: 1 })
    assert.ok(JSON.stringify(long).length < 1000)
    const asked = await fault('GET', `/customers?sort=${'y'.repeat(3000)}`)
    assert.deepEqual([asked?.code, String(asked?.with?.name).length], ['not-sortable', 999])
  })

  test('of a wrong state tells the state and what is allowed now', async () => {
    const deal = await openDeal(service)
    await service.request('PUT', `${DEALS}/${deal.id}/complete`)
    const { body } = await service.request('PUT', `${DEALS}/${deal.id}/hold`, { body: { reason: 'x' } })
    assert.partialDeepStrictEqual(body, {
      code: 'wrong-state',
      detail: 'hold is not allowed: the deal is completed.',
      operation: 'hold',
      deal: { id: deal.id, status: 'completed', held: false, archived: false, revision: 2 },
      allowed: ['delete', 'reopen', 'archive', 'describe', 'add-note', 'record-payment'],
    })
  })
})

suite('a request', () => {
  test('has an id on every answer, which its problem and its page tell too', async () => {
    const ids = new Set<string>()
    for (const path of ['/', '/customers', '/openapi.json', '/customers.ndjson', '/health/live', '/nothing', '/%zz']) {
      const { status, headers, body } = await service.request('GET', path)
      const id = String(headers['request-id'])
      assert.match(id, /^[\w-]{8,40}$/, path)
      if (status >= 400) assert.equal(body.instance, `urn:dealdesk:request:${id}`)
      ids.add(id)
    }
    assert.equal(ids.size, 7)
    const page = await service.request('GET', '/nothing', { headers: { accept: 'text/html' } })
    assert.ok(page.text.includes(`<code>${page.headers['request-id']}</code>`))
  })

  test('keeps the id that it came with, where that is one', async () => {
    const asked = async (headers: { readonly [name: string]: string }) => {
      const { headers: answered, body } = await service.request('GET', '/nothing', { headers })
      assert.equal(body.instance, `urn:dealdesk:request:${answered['request-id']}`)
      return answered['request-id']
    }
    const longest = 'x'.repeat(128)
    assert.equal(await asked({ 'request-id': '0f8b-a.B_c~1' }), '0f8b-a.B_c~1')
    assert.equal(await asked({ 'x-request-id': longest }), longest)
    assert.equal(await asked({ 'request-id': 'one', 'x-request-id': 'two' }), 'one')
    for (const bad of ['', `${longest}x`, 'a b', 'a,b', '"a"', 'a;b', '<b>', 'é']) {
      assert.match(String(await asked({ 'request-id': bad })), /^[0-9a-f]{10}-[0-9a-z]+$/, bad)
    }
  })
})
