import assert from 'node:assert/strict'
import { after as afterAll, before, suite } from 'node:test'
import { type FormRequest, requestsFor } from '../../support/deals/form-requests.ts'
import { after, allSteps, blank, type Step, wayTo } from '../../support/deals/ways.ts'
import { isDrawn } from '../../support/inputs/drawn.ts'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { DEALS, makeCustomers, makeDeal, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  // Its own: all that is stored is read again and again.
  service = await runService()
  await makeCustomers(service)
})
afterAll(() => service.close())

/** Everything that is stored, as text. */
const stored = (): Promise<string> => service.database.contents(['deals', 'events', 'commands', 'customers'])

const tried = ({ path }: { readonly path: string }): string => `${path}?dry-run=true`
const minimal = { prefer: 'return=minimal' }

const send = ({ method, body }: FormRequest, path: string, headers = {}) =>
  service.request(method, path, { body, headers })

/** Addresses that led somewhere: what was there once is there, or known to be gone. */
const found = new Set<string>()

/** Neither an id nor a link leads to something that is not there. */
async function speaksOfWhatExists({ body }: Answered): Promise<void> {
  const { operations = {}, ...links } = body.links as unknown as { readonly [relation: string]: string }
  for (const address of Object.values(links)) {
    if (found.has(address)) continue
    found.add(address)
    // A deleted deal is still known.
    assert.match(String((await service.request('GET', address)).status), /^(200|410)$/, address)
  }
  assert.equal(typeof operations, 'object')
  if (body.id !== undefined) assert.ok(links.self, `no link to ${body.id}`)
  assert.ok(body.status !== 'applied' || body.id !== undefined)
}

/** Every form comes to the store as the same intent: SQLite is asked in a third of them, PostgreSQL in each in turn. */
function asked(step: Step, id: string): readonly FormRequest[] {
  const requests = requestsFor(step.operation, step.params, id)
  const turn = allSteps.indexOf(step) % requests.length
  return process.env.TEST_STORE === 'postgres'
    ? requests.slice(turn, turn + 1)
    : requests.filter((_, nth) => isDrawn(nth + turn, 3))
}

suite('a dry run', () => {
  for (const step of allSteps) {
    const { operation, params } = step
    test(`of ${operation.name} ${JSON.stringify(params)} shows what would result and stores nothing`, async () => {
      const isNew = operation.to === 'nothing'
      const way = wayTo((deal) => after(isNew ? blank() : deal, step) !== undefined)
      assert.ok(way)
      const id = isNew ? '' : await makeDeal(service, way)
      const before = await stored()
      for (const request of asked(step, id)) {
        const answer = await send(request, tried(request))
        assert.equal(answer.status, 200, `${request.form} ${answer.text}`)
        assert.equal(answer.headers.location, undefined)
        assert.equal(answer.headers.etag, undefined)
        assert.equal(answer.headers['dry-run'], 'true')
        await speaksOfWhatExists(answer)
        assert.equal(answer.body.revision, isNew ? 1 : way.deal.revision + 1)
        const none = await send(request, tried(request), minimal)
        assert.equal(none.status, 204, request.form)
        assert.equal(none.text, '')
        assert.equal(none.headers['preference-applied'], 'return=minimal')
        assert.equal(none.headers['dry-run'], 'true')
      }
      assert.equal(await stored(), before)
    })
  }

  test('of what was done before shows what there is', async () => {
    const deal = await openDeal(service)
    for (const [method, path, body] of [
      ['POST', `${DEALS}/${deal.id}/notes`, { text: 'x' }],
      ['POST', DEALS, { name: 'x', price: 1 }],
      ['PUT', `${DEALS}/${deal.id}/hold`, { reason: 'x' }],
    ] as const) {
      const headers = { 'idempotency-key': `done ${path}`.replace(/\W/g, '') }
      const done = await service.request(method, path, { body, headers })
      const again = await service.request(method, `${path}?dry-run=true`, { body, headers })
      assert.equal(again.status, 200)
      assert.equal(again.text, done.text)
      assert.equal(again.headers['dry-run'], 'true')
      assert.equal(again.headers['idempotent-replayed'], 'true')
      await speaksOfWhatExists(again)
    }
  })

  test('of a subscription stores nothing and makes no id', async () => {
    const body = { url: 'https://192.0.2.1/' }
    const answer = await service.request('POST', '/webhooks?dry-run=true', { body })
    if (answer.status === 200) {
      assert.equal(answer.headers['dry-run'], 'true')
      await speaksOfWhatExists(answer)
    } else assert.equal(answer.status, 422, answer.text)
    assert.deepEqual((await service.request('GET', '/webhooks')).body.items, [])
  })

  test('of an attribute update shows the deal it would leave', async () => {
    const deal = await openDeal(service)
    const before = await stored()
    for (const method of ['PUT', 'PATCH']) {
      const body = { price: 7, name: 'Other', held: true, holdReason: 'x' }
      const answer = await service.request(method, `${DEALS}/${deal.id}?dry-run=true`, { body })
      assert.partialDeepStrictEqual(answer.body, { ...body, revision: 4 })
      assert.equal(answer.status, 200)
    }
    assert.equal(await stored(), before)
  })

  test('of a change of a customer stores nothing', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const path = `/customers/${customer.id}`
    const before = await stored()
    for (const [method, address, body] of [
      ['POST', '/customers', { name: 'Ben' }],
      ['PUT', path, { name: 'Ben' }],
      ['PATCH', path, { name: 'Ben' }],
      ['POST', `${path}/edits`, { name: 'Ben' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/deletions`, undefined],
    ] as const) {
      const answer = await service.request(method, `${address}?dry-run=true`, { body })
      assert.equal(answer.status, 200, `${method} ${address}`)
      assert.equal(answer.headers.location, undefined)
      assert.equal(answer.headers['dry-run'], 'true')
      await speaksOfWhatExists(answer)
      if (body !== undefined) assert.equal(answer.body.name, 'Ben')
      const none = await service.request(method, `${address}?dry-run=true`, { body, headers: minimal })
      assert.equal(none.status, 204)
      assert.equal(none.headers['preference-applied'], 'return=minimal')
    }
    assert.equal(await stored(), before)
  })

  test('makes the same checks and keeps no refusal', async () => {
    const deal = await openDeal(service)
    const before = await stored()
    const path = `${DEALS}/${deal.id}`
    const wrongState = { body: { action: 'UnholdDeal', params: {} } }
    assert.equal((await service.request('PUT', `${path}/commands/tried?dry-run=true`, wrongState)).status, 409)
    assert.equal((await service.request('PUT', `${path}/hold?dry-run=true`, { body: {} })).status, 422)
    const stale = { body: { reason: 'x' }, headers: { 'if-match': '"9-x"' } }
    assert.equal((await service.request('PUT', `${path}/hold?dry-run=true`, stale)).status, 412)
    assert.equal(await stored(), before)
  })

  test('leaves its command id and its key unused', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}`
    const headers = { 'idempotency-key': 'unused-key' }
    const body = { text: 'x' }
    await service.request('POST', `${path}/notes?dry-run=true`, { body, headers })
    const answer = await service.request('POST', `${path}/notes?dry-run=false`, { body, headers })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['idempotent-replayed'], undefined)
  })

  test('that is misspelt is refused, not done', async () => {
    const deal = await openDeal(service)
    const before = await stored()
    const path = `${DEALS}/${deal.id}`
    for (const query of [
      'dry_run=true',
      'dryrun=true',
      'dry-run=1',
      'dry-run',
      'dry-run=TRUE',
      'dry-run=true&dry-run=true',
      'x=1',
    ]) {
      for (const [method, address, body] of [
        ['POST', `${path}/notes`, { text: 'x' }],
        ['PUT', `${path}/hold`, { reason: 'x' }],
        ['PUT', path, { price: 1 }],
        ['PUT', '/rest/commands/misspelt', { deal: deal.id, action: 'hold', params: { reason: 'x' } }],
        ['POST', '/command/HoldDeal/', { id: deal.id, reason: 'x' }],
        ['POST', DEALS, { name: 'x', price: 1 }],
        ['DELETE', path, undefined],
        ['POST', '/customers', { name: 'x' }],
      ] as const) {
        const answer = await service.request(method, `${address}?${query}`, { body })
        assert.equal(answer.status, 400, `${method} ${address}?${query}`)
        assert.equal(answer.body.code, 'invalid-parameter')
      }
    }
    const near = await service.request('DELETE', `${path}?dry_run=true`)
    assert.deepEqual(saidFaults(near.body.errors), [
      { parameter: 'dry_run', detail: 'is not known here, did you mean dry-run?' },
    ])
    assert.equal(await stored(), before)
  })
})
