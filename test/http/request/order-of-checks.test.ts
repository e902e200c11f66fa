import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Asking, runService, type Shown, type TestService } from '../../support/service/running-service.ts'

// Readable at all (400, 413, 415) → known command → 404/410 → 428/412 → 422 → 409: of two faults the earlier is told.

let service: TestService
let strict: TestService
before(async () => {
  service = await runService()
  strict = await runService({ REQUIRE_IF_MATCH: 'true' })
})
after(() => Promise.all([service.close(), strict.close()]))

const stale = { 'if-match': '"999-x"' }

/** The same wish, unhold, in every form; `params` may be spoilt. */
function inForms(deal: string, params: object, command: string): readonly (readonly [string, string, object])[] {
  const at = `${DEALS}/${deal}`
  return [
    ['PUT', `${at}/unhold`, params],
    ['PUT', `${at}/unholded`, params],
    ['POST', `${at}/unholds`, params],
    ['PUT', at, { action: 'UnholdDeal', params }],
    ['PUT', `${at}/commands/${command}`, { action: 'UnholdDeal', params }],
    ['PUT', `/rest/commands/${command}`, { deal, action: 'UnholdDeal', params }],
    ['POST', '/command/UnholdDeal/', { id: deal, ...params }],
  ]
}

async function allAnswer(
  to: TestService,
  status: number,
  forms: ReturnType<typeof inForms>,
  asking: (body: object) => Asking = (body) => ({ body }),
): Promise<void> {
  for (const [method, path, body] of forms) {
    const answer = await to.request(method, path, asking(body))
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
  }
}

async function deleted(to: TestService): Promise<Shown> {
  const deal = await openDeal(to)
  await to.request('DELETE', `${DEALS}/${deal.id}`, { headers: { 'if-match': '*' } })
  return deal
}

suite('a body that cannot be read comes before', () => {
  const unreadable: readonly (readonly [number, Asking])[] = [
    [400, { body: '{"reason": ' }],
    [400, { body: Buffer.from([0x22, 0xff, 0x22]) }],
    [415, { body: 'reason', headers: { 'content-type': 'text/plain' } }],
    [413, { body: `{"reason":"${'x'.repeat(1_048_576)}"}` }],
  ]
  for (const [status, asking] of unreadable) {
    test(`a known command (${status})`, async () => {
      const deal = await openDeal(service)
      const command = randomUUID()
      const [, , , , , form] = inForms(deal.id, {}, command)
      assert.ok(form)
      await service.request(form[0], form[1], { body: form[2] })
      await allAnswer(service, status, [form], () => asking)
      const headers = { ...asking.headers, 'idempotency-key': command }
      await allAnswer(service, status, inForms(deal.id, {}, command).slice(0, 4), () => ({ ...asking, headers }))
    })

    test(`an unknown and a deleted deal (${status})`, async () => {
      const { id } = await deleted(service)
      await allAnswer(service, status, inForms(id, {}, randomUUID()), () => asking)
      await allAnswer(service, status, inForms(randomUUID(), {}, randomUUID()), () => asking)
    })
  }

  test('a stale revision, as does a header or parameter that cannot be read', async () => {
    const { id } = await openDeal(service)
    await allAnswer(service, 400, inForms(id, {}, randomUUID()), () => ({ body: '{', headers: stale }))
    const unknown = inForms(randomUUID(), {}, randomUUID())
    await allAnswer(service, 400, unknown, (body) => ({ body, headers: { 'if-match': 'no tag' } }))
    const misspelt = unknown.map(([method, path, body]) => [method, `${path}?dry=true`, body] as const)
    await allAnswer(service, 400, misspelt)
  })

  test('an ambiguous body comes before an unknown deal', async () => {
    const body = { action: 'hold', held: true }
    assert.equal((await service.request('PUT', `${DEALS}/${randomUUID()}`, { body })).status, 400)
  })
})

suite('a known command comes before', () => {
  testOnEachStore('a deal that is deleted by now, and a revision that is stale by now', async () => {
    const deal = await openDeal(strict)
    const command = randomUUID()
    const path = `${DEALS}/${deal.id}/commands/${command}`
    const body = { action: 'AddDealNote', params: { text: 'x' } }
    assert.equal((await strict.request('PUT', path, { body, headers: { 'if-match': '*' } })).status, 201)
    assert.equal((await strict.request('PUT', path, { body })).status, 200, 'not 428')
    assert.equal((await strict.request('PUT', path, { body, headers: stale })).status, 200, 'not 412')
    await strict.request('DELETE', `${DEALS}/${deal.id}`, { headers: { 'if-match': '*' } })
    assert.equal((await strict.request('PUT', path, { body })).status, 200, 'not 410')
  })

  test('an unknown deal and bad parameters: it is reused', async () => {
    const deal = await openDeal(service)
    const command = randomUUID()
    await service.request('PUT', `/rest/commands/${command}`, { body: { deal: deal.id, action: 'delete' } })
    const [deal1, deal2] = inForms(randomUUID(), { bad: 1 }, command).slice(4)
    for (const form of [deal1, deal2]) {
      assert.ok(form)
      await allAnswer(service, 409, [form], (body) => ({ body, headers: stale }))
    }
  })
})

suite('an unknown or deleted deal comes before', () => {
  test('a missing or stale revision', async () => {
    const { id } = await deleted(strict)
    await allAnswer(strict, 410, inForms(id, {}, randomUUID()))
    await allAnswer(strict, 410, inForms(id, {}, randomUUID()), (body) => ({ body, headers: stale }))
    await allAnswer(strict, 404, inForms(randomUUID(), {}, randomUUID()))
    await allAnswer(strict, 404, inForms(randomUUID(), {}, randomUUID()), (body) => ({ body, headers: stale }))
  })

  test('bad parameters and an unknown action', async () => {
    const { id } = await deleted(service)
    await allAnswer(service, 410, inForms(id, { bad: 1 }, randomUUID()))
    await allAnswer(service, 404, inForms(randomUUID(), { bad: 1 }, randomUUID()))
    const body = { action: 'NoSuchDeal' }
    assert.equal((await service.request('PUT', `${DEALS}/${id}`, { body })).status, 410)
    assert.equal((await service.request('PUT', `${DEALS}/${randomUUID()}`, { body })).status, 404)
  })
})

suite('a missing or stale revision comes before', () => {
  test('bad parameters and an unknown action', async () => {
    const { id } = await openDeal(strict)
    await allAnswer(strict, 428, inForms(id, { bad: 1 }, randomUUID()))
    await allAnswer(strict, 412, inForms(id, { bad: 1 }, randomUUID()), (body) => ({ body, headers: stale }))
    const body = { action: 'NoSuchDeal' }
    assert.equal(
      (await service.request('PUT', `${DEALS}/${(await openDeal(service)).id}`, { body, headers: stale })).status,
      412,
    )
  })

  test('a wrong state', async () => {
    const { id } = await openDeal(strict)
    await allAnswer(strict, 428, inForms(id, {}, randomUUID()))
    await allAnswer(strict, 412, inForms(id, {}, randomUUID()), (body) => ({ body, headers: stale }))
  })
})

suite('bad parameters come before', () => {
  test('a wrong state', async () => {
    const { id } = await openDeal(service)
    await allAnswer(service, 422, inForms(id, { bad: 1 }, randomUUID()))
    await allAnswer(service, 409, inForms(id, {}, randomUUID()))
  })

  test('a wrong state, where several of them are wrong together', async () => {
    const { id } = await openDeal(service)
    const at = `${DEALS}/${id}`
    assert.equal((await service.request('PUT', `${at}/complete`, { body: {} })).status, 200)
    const rental = { name: 'rental', title: 'Rental', stages: [{ name: 'due' }] }
    assert.equal((await service.request('POST', '/pipelines', { body: rental })).status, 201)
    for (const [body, status] of [
      [{ pipeline: 'rental', stage: 'lead' }, 422],
      [{ pipeline: 'sales', stage: 'due' }, 422],
      [{ pipeline: 'rental', stage: 'due' }, 409],
      [{ pipeline: 'rental' }, 409],
      [{ stage: 'lead' }, 409],
    ] as const) {
      const answer = await service.request('PUT', `${at}/move`, { body })
      assert.equal(answer.status, status, `${JSON.stringify(body)} ${answer.text}`)
    }
    const field = { on: 'deal', name: 'line', title: 'Line', kind: 'text' }
    const made = await service.request('POST', '/fields', { body: field })
    const self = `/fields/${made.body.id}`
    assert.equal((await service.request('PUT', `${self}/retire`)).status, 200)
    assert.equal((await service.request('PATCH', self, { body: { replaceBy: { a: 'b' } } })).status, 422)
    assert.equal((await service.request('PATCH', self, { body: { title: 'Other' } })).status, 409)
  })
})
