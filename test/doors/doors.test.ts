import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { doors, openDoors } from '../../src/doors/doors.ts'
import { jsonapi } from '../../src/doors/jsonapi/jsonapi.ts'
import { ATOMIC_TYPE } from '../../src/doors/jsonapi/media-type.ts'
import { odata } from '../../src/doors/odata/odata.ts'
import { postgrest } from '../../src/doors/postgrest/postgrest.ts'
import type { Operation } from '../../src/model/declaration/schema.ts'
import { operationNamed, roleFor } from '../../src/model/schema/resources.ts'
import { includesRole, roles } from '../../src/values/role.ts'
import type { DoorSample } from '../support/doors/adapter.ts'
import { adapters } from '../support/doors/adapters.ts'
import { deal, operations, repeatable, schema } from '../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const recordPayment = operationNamed('record-payment', deal) as Operation

suite('every door', () => {
  let service: TestService
  before(async () => {
    service = await runService({ CORS_ORIGINS: 'https://app.example.com' })
  })
  after(() => service.close())

  for (const { name, title, at, first, routes, request } of doors) {
    test(`${name} answers its first request`, async () => {
      const { method, path, headers, body } = first
      const answer = await service.request(method, path, { ...(headers && { headers }), body })
      assert.equal(answer.status, 200, answer.text)
    })

    test(`${name} says which methods its root has`, async () => {
      const methods = routes(schema)
        .filter(({ path }) => path === '')
        .map(({ method }) => method)
      if (methods.length === 0) return
      const options = await service.request('OPTIONS', at)
      assert.equal(options.status, 204)
      for (const method of methods) assert.match(String(options.headers.allow), new RegExp(`\\b${method}\\b`))
      const wrong = await service.request('PROPFIND', at)
      assert.equal(wrong.status, 405)
      assert.equal(wrong.headers.allow, options.headers.allow)
    })

    test(`${name} may be asked by pages of other origins`, async () => {
      const origin = 'https://app.example.com'
      const asked = { origin, 'access-control-request-method': 'POST' }
      const preflight = await service.request('OPTIONS', at, { headers: asked })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers['access-control-allow-origin'], origin)
    })

    test(`${name} heeds whatever speaks of a write, in its content and around it`, async () => {
      const { body: made } = await service.request('POST', '/rest/v1/deals/', { body: { name: 'Roof', price: 9 } })
      const tag = String((await service.request('GET', made.links.self ?? '')).headers.etag)
      const adapter = adapters.find(({ door }) => door === name)
      assert.ok(adapter)
      const pay = async (more: Partial<DoorSample>) => {
        const sample = { operation: recordPayment, params: { amount: 1 }, target: made.id, command: '', ...more }
        return adapter.perform(service, sample)
      }
      const refused = async (code: string, more: Partial<DoorSample>) => {
        const told = await pay(more)
        assert.equal('problem' in told && told.problem.code, code, JSON.stringify([more, told]))
      }
      const asked = request({ operation: recordPayment, params: { amount: 1 }, target: made.id, command: '' })
      assert.ok(asked)
      const { path, method, headers, body } = asked
      const misspelt = await service.request(method, `${path}?dry_run=true`, { ...(headers && { headers }), body })
      assert.equal(misspelt.status, 400)
      for (const tried of [{ query: '?dry-run=true' }, { dryRun: true }, { query: '?dry-run=true', dryRun: true }]) {
        const told = await pay(tried)
        assert.ok('thing' in told && told.thing?.paid === 1, JSON.stringify(told))
      }
      await refused('invalid-parameter', { query: '?dry-run=false', dryRun: true })
      await refused('invalid-parameter', { query: '?dry-run=true', dryRun: false })
      await refused('stale-revision', { headers: { 'if-match': '"stale"' } })
      await refused('precondition-failed', { headers: { 'if-none-match': '*' } })
      await refused('stale-revision', { expectedRevision: 7 })
      await refused('invalid-header', { headers: { 'if-match': tag }, expectedRevision: 7 })
      await refused('invalid-header', { headers: { 'idempotency-key': 'a' }, command: 'b' })
      const paid = async () => (await service.request('GET', made.links.self ?? '')).body.paid
      assert.equal(await paid(), 0, 'nothing was stored')
      const once = { headers: { 'if-match': tag, 'idempotency-key': `${name}-1` }, expectedRevision: 1 }
      await pay(once)
      await pay({ ...once, command: `${name}-1` })
      assert.equal(await paid(), 1)
      await refused('command-id-reused', { command: `${name}-1`, params: { amount: 2 } })
    })

    test(`${name} has a page and is led to`, async () => {
      const led = await service.request('GET', `/docs/${name}`)
      assert.deepEqual([led.status, led.headers.location], [303, `/docs/doors/${name}`])
      const page = await service.request('GET', `/docs/doors/${name}`)
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(title))
      assert.doesNotMatch(page.text, /curl (?!-g)[^\n]*\[/)
      assert.ok((await service.request('GET', '/docs')).text.includes(`/docs/doors/${name}`))
      assert.equal((await service.request('GET', '/')).body.links[name], at)
      assert.ok((await service.request('GET', '/openapi.json')).text.includes(`/docs/doors/${name}`))
    })
  }

  for (const [what, path, type, many] of [
    [
      'a batch of OData',
      '/odata/$batch',
      'application/json',
      (ids: readonly string[]) => ({
        requests: ids.map((id) => ({
          ...{ id, method: 'POST', url: `Deals(${id})/Dealdesk.Hold`, atomicityGroup: 'g', body: { reason: 'r' } },
        })),
      }),
    ],
    [
      'Atomic Operations',
      '/jsonapi/operations',
      ATOMIC_TYPE,
      (ids: readonly string[]) => ({
        'atomic:operations': ids.map((id) => ({
          ...{ op: 'add', href: `/jsonapi/deals/${id}/hold`, data: { attributes: { reason: 'r' } } },
        })),
      }),
    ],
    [
      'a batch of JSON-RPC',
      '/rpc',
      'application/json',
      (ids: readonly string[]) =>
        ids.map((id) => ({ jsonrpc: '2.0', id, method: 'deals.hold', params: { id, reason: 'r' } })),
    ],
    [
      'several mutations of GraphQL',
      '/graphql',
      'application/json',
      (ids: readonly string[]) => ({
        query: `mutation {${ids.map((id, at) => `m${at}: holdDeal(id: "${id}", reason: "r") { deal { id } }`)}}`,
      }),
    ],
  ] as const) {
    test(`${what} can be tried and repeated as a whole, and no precondition speaks of it`, async () => {
      const create = () => service.request('POST', '/rest/v1/deals/', { body: { name: 'Roof', price: 9 } })
      const made = (await Promise.all([create(), create()])).map(({ body }) => body)
      const send = (query: string, more: { readonly [name: string]: string }) =>
        service.request('POST', path + query, {
          headers: { 'content-type': type, ...more },
          body: many(made.map(({ id }) => id)),
        })
      const revisions = () =>
        Promise.all(made.map(async ({ links }) => (await service.request('GET', links.self ?? '')).body.revision))
      const guarded = await send('', { 'if-match': '"x"' })
      assert.match(guarded.text, /If-Match is for one thing/)
      const tried = await send('?dry-run=true', {})
      assert.equal(tried.status, 200, tried.text)
      assert.deepEqual(await revisions(), [1, 1])
      const key = { 'idempotency-key': `many ${what}`.replaceAll(/\W/g, '-') }
      for (const _time of [1, 2]) assert.equal((await send('', key)).status, 200)
      assert.deepEqual(await revisions(), [2, 2])
      const command = await service.request('GET', `/rest/commands/${key['idempotency-key']}.1`)
      assert.equal(command.body.status, 'applied', command.text)
    })
  }

  test('finds a thing by the name that is its address', async () => {
    const body = { name: 'named', title: 'Named', stages: [{ name: 'due' }] }
    assert.equal((await service.request('POST', '/pipelines', { body })).status, 201)
    const rpc = { jsonrpc: '2.0', id: 1, method: 'pipelines.get', params: { id: 'named' } }
    for (const found of [
      await service.request('GET', '/jsonapi/pipelines/named'),
      await service.request('GET', "/odata/Pipelines('named')"),
      await service.request('POST', '/rpc', { body: rpc }),
      await service.request('POST', '/graphql', { body: { query: '{ pipeline(id: "named") { title } }' } }),
    ]) {
      assert.equal(found.status, 200, found.text)
      assert.match(found.text, /"title":"Named"/)
    }
  })

  test('reads what it changes by a unique value', async () => {
    const made = await service.request('PUT', '/rest/v1/deals/by/reference/read-so', {
      body: { name: 'Roof', price: 1 },
    })
    assert.equal(made.status, 201, made.text)
    const call = (method: string, id: object) =>
      service.request('POST', '/rpc', { body: { jsonrpc: '2.0', id: 1, method, params: { id } } })
    for (const method of ['deals.archive', 'deals.get']) {
      const gone = await call(method, { reference: 'nowhere' })
      assert.match(gone.text, /There is no deal with the reference \\"nowhere\\"/, method)
    }
    const read = await call('deals.get', { reference: 'read-so' })
    assert.partialDeepStrictEqual(read.body, { result: { id: made.body.id } }, read.text)
  })

  test('reads the parameters of GraphQL alone', async () => {
    const answer = await service.request('GET', '/graphql?query={__typename}&opreationName=x')
    assert.equal(answer.status, 400)
    assert.match(answer.text, /opreationName is not known here, did you mean operationName\?/)
  })

  test('has an address of its own', () => {
    assert.equal(new Set(doors.map(({ at }) => at)).size, doors.length)
  })
})

suite('a closed service', () => {
  let service: ClosedService
  before(async () => {
    service = await runClosedService()
  })
  after(() => service.close())

  for (const { name, first } of doors) {
    test(`${name} wants to know who calls`, async () => {
      const { method, path, headers, body } = first
      const asked = (who: { readonly [header: string]: string }) =>
        service.request(method, path, { headers: { ...headers, ...who }, body })
      const nobody = await asked({})
      assert.equal(nobody.status, 401, nobody.text)
      assert.ok(nobody.headers['www-authenticate'])
      assert.equal((await asked(bearer(service.keys.reader))).status, 200)
    })
  }

  for (const { door, perform } of adapters) {
    test(`${door} refuses to each role what needs another`, async () => {
      for (const { name, operations } of repeatable) {
        for (const role of roles) {
          const operation = operations.find((each) => !includesRole(role, roleFor(each)))
          if (operation === undefined) continue
          const headers = bearer(service.keys[role])
          const [params] = operation.examples
          const told = await perform(service, { operation, params, target: randomUUID(), command: '', headers })
          assert.equal('problem' in told && told.problem.code, 'forbidden', `${role}: ${operation.name} of a ${name}`)
        }
      }
    })
  }

  for (const door of [jsonapi, odata, postgrest]) {
    test(`${door.name} says who may not before it reads what was sent`, async () => {
      for (const operation of operations) {
        const asked = door.request({ operation, params: {}, target: '7', command: '' })
        assert.ok(asked)
        for (const role of roles) {
          const headers = { ...bearer(service.keys[role]), 'content-type': 'text/plain' }
          const { status, text } = await service.request(asked.method, asked.path, { headers, body: 'x' })
          const expected = includesRole(role, roleFor(operation)) ? 415 : 403
          assert.equal(status, expected, `${role}: ${asked.method} ${asked.path} ${text}`)
        }
      }
    })

    test(`${door.name} says to everybody what is not there`, async () => {
      const headers = { ...bearer(service.keys.reader), 'content-type': 'text/plain' }
      for (const path of ['/nothing', '/deals/1/nothing', '/Deals(1)/Dealdesk.Nothing', '/rpc/nothing']) {
        const { status, text } = await service.request('POST', door.at + path, { headers, body: 'x' })
        assert.notEqual(status, 403, text)
      }
    })
  }
})

test('closed doors are not there', async () => {
  const service = await runService({ DOORS: 'none' })
  try {
    for (const { at, name } of doors) {
      const answer = await service.request('POST', at, { body: {} })
      assert.equal(answer.status, 404, at)
      assert.equal(answer.body.code, 'not-found')
      assert.equal((await service.request('GET', `/docs/doors/${name}`)).status, 404)
      assert.equal((await service.request('GET', '/')).body.links[name], undefined)
    }
  } finally {
    await service.close()
  }
})

test('DOORS lists the doors that are open', () => {
  const opened = (text: string) => openDoors(readSettings({ DOORS: text })).map(({ name }) => name)
  assert.deepEqual(
    openDoors(readSettings({})).map(({ name }) => name),
    doors.map(({ name }) => name),
  )
  assert.deepEqual(opened('none'), [])
  assert.deepEqual(opened('rpc'), ['rpc'])
  assert.throws(() => opened('rcp'), /DOORS names no door rcp, did you mean rpc\?/)
  assert.throws(() => opened('rpc;'), /DOORS=rpc; is not usable/)
})
