import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal, storedDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const put = (deal: Shown, body: unknown, headers = {}): Promise<Answered> =>
  service.request('PUT', `${DEALS}/${deal.id}`, { body, headers })

const held = async (): Promise<Shown> => {
  const deal = await openDeal(service)
  return (await service.request('PUT', `${DEALS}/${deal.id}/hold`, { body: { reason: 'credit check' } })).body
}

/** The operations that made the revisions after `from`, with their parameters. */
async function recorded(deal: Shown, from = 1): Promise<readonly (readonly [unknown, unknown])[]> {
  const { revision } = await storedDeal(service, deal.id)
  const entries: (readonly [unknown, unknown])[] = []
  for (let n = from + 1; n <= revision; n++) {
    const { body } = await service.request('GET', `${DEALS}/${deal.id}/history/${n}`)
    assert.equal(body.form, 'attribute-update')
    entries.push([body.operation, body.params])
  }
  return entries
}

function isInvalid(answer: Answered, errors: Shown['errors']): void {
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.body.code, 'invalid-body')
  assert.deepEqual(saidFaults(answer.body.errors), errors)
}

suite('an attribute update', () => {
  test('makes each difference its operation, unhold first and hold last', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ana' } })
    const wanted = {
      held: true,
      holdReason: 'waiting',
      name: 'Fifty machines',
      price: 60000,
      completionDate: '2027-01-31',
      stage: 'proposal',
      owner: 'Mila Sanz',
      customerId: customer.id,
      description: 'More of them',
    }
    const deal = await openDeal(service)
    const answer = await put(deal, wanted)
    assert.equal(answer.status, 200, answer.text)
    assert.partialDeepStrictEqual(answer.body, { ...wanted, revision: 9 })
    const steps = await recorded(deal)
    assert.deepEqual(steps.at(-1), ['hold', { reason: 'waiting' }])
    assert.deepEqual(Object.fromEntries(steps), {
      hold: { reason: 'waiting' },
      rename: { newName: 'Fifty machines' },
      'change-price': { newPrice: 60000, reason: 'attribute update' },
      'change-completion-date': { newDate: '2027-01-31', amercement: 0, whyChanged: 'attribute update' },
      move: { stage: 'proposal' },
      assign: { owner: 'Mila Sanz' },
      'change-customer': { customerId: customer.id },
      describe: { description: 'More of them' },
    })
    const off = await put(deal, { owner: null, customerId: null, held: false })
    assert.equal(off.status, 200, off.text)
    const [first, ...others] = await recorded(deal, 9)
    assert.deepEqual(first, ['unhold', {}])
    assert.deepEqual(Object.fromEntries(others), { assign: { owner: null }, 'change-customer': { customerId: null } })
    assert.partialDeepStrictEqual(off.body, { held: false, holdReason: null, owner: null, customerId: null })
  })

  test('with held and holdReason holds, as the interface shows', async () => {
    const deal = await openDeal(service)
    const { links: _links, ...whole } = deal
    const answer = await put(deal, { ...whole, held: true, holdReason: 'credit check' })
    assert.partialDeepStrictEqual(answer.body, { held: true, holdReason: 'credit check', revision: 2 })
    assert.deepEqual(await recorded(deal), [['hold', { reason: 'credit check' }]])
  })

  test('with another reason holds again, and without held keeps it held', async () => {
    const deal = await held()
    assert.partialDeepStrictEqual((await put(deal, { held: true, holdReason: 'other' })).body, {
      holdReason: 'other',
      revision: 3,
    })
    assert.partialDeepStrictEqual((await put(deal, { holdReason: 'third' })).body, {
      held: true,
      holdReason: 'third',
      revision: 4,
    })
    assert.equal((await put(deal, { held: true })).body.revision, 4)
  })

  test('takes off hold with the old reason still in the body, or with none', async () => {
    for (const body of [
      { held: false },
      { held: false, holdReason: null },
      { held: false, holdReason: 'credit check' },
    ]) {
      const deal = await held()
      assert.partialDeepStrictEqual((await put(deal, body)).body, { held: false, holdReason: null, revision: 3 })
    }
  })

  test('that holds without a reason is refused', async () => {
    const deal = await openDeal(service)
    isInvalid(await put(deal, { held: true }), [{ pointer: '/holdReason', detail: 'is required' }])
    isInvalid(await put(deal, { held: true, holdReason: null }), [{ pointer: '/holdReason', detail: 'is required' }])
    isInvalid(await put(await held(), { holdReason: null }), [{ pointer: '/holdReason', detail: 'is required' }])
    isInvalid(await put(deal, { holdReason: 'why' }), [{ pointer: '/holdReason', detail: 'goes with held: true' }])
  })

  testOnEachStore('is all or nothing', async () => {
    const deal = await held()
    const answer = await put(deal, { name: 'New name', price: 1 })
    assert.equal(answer.status, 409)
    assert.partialDeepStrictEqual(answer.body, { code: 'wrong-state', operation: 'change-price' })
    isInvalid(await put(deal, { name: 'New name', stage: 'nowhere' }), [
      { pointer: '/stage', detail: 'must be one of lead, qualified, proposal, negotiation, contract' },
    ])
    assert.partialDeepStrictEqual(await storedDeal(service, deal.id), { name: 'Forty espresso machines', revision: 2 })
    assert.equal((await put(deal, { name: 'New name', price: 1, held: false })).body.revision, 5)
  })

  test('guards itself by a revision in its body and by If-Match', async () => {
    const deal = await openDeal(service)
    assert.equal((await put(deal, { revision: 1, price: 1 })).status, 200)
    const stale = await put(deal, { revision: 1, price: 2, stage: 'nowhere' })
    assert.equal(stale.status, 412)
    assert.equal(stale.body.code, 'stale-revision')
    const { headers } = await service.request('GET', `${DEALS}/${deal.id}`)
    assert.equal(stale.headers.etag, headers.etag)
    assert.equal((await put(deal, { revision: 2, price: 2 }, { 'if-match': '"1-x"' })).status, 412)
    assert.equal((await put(deal, { price: 2 }, { 'if-match': String(headers.etag) })).status, 200)
    isInvalid(await put(deal, { revision: '3' }), [{ pointer: '/revision', detail: 'must be an integer' }])
  })

  test('leaves what was not sent, and ignores links', async () => {
    const deal = await openDeal(service, { owner: 'Mila Sanz', description: 'Keep me' })
    const answer = await put(deal, { links: { self: 'anything' }, price: 5 })
    assert.partialDeepStrictEqual(answer.body, { owner: 'Mila Sanz', description: 'Keep me', price: 5, revision: 2 })
  })

  testOnEachStore('without a difference records nothing', async () => {
    const deal = await openDeal(service)
    for (const body of [
      deal,
      {},
      undefined,
      { price: 51800 },
      { name: ' Forty espresso machines ' },
      { id: deal.id },
    ]) {
      const answer = await put(deal, body)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.revision, 1)
      assert.deepEqual(answer.body.updatedAt, deal.updatedAt)
    }
  })

  test('in any other field is refused, naming the operation that changes it', async () => {
    const deal = await openDeal(service)
    for (const [field, value, detail] of [
      ['status', 'completed', 'is changed by one of the operations complete, cancel, reopen'],
      ['archived', true, 'is changed by one of the operations archive, unarchive'],
      ['amercement', 5, 'is changed by one of the operations cancel, change-completion-date, waive-amercement'],
      ['paid', 5, 'is changed by the operation record-payment'],
      ['completedOn', '2026-01-01', 'is changed by the operation complete'],
      ['acceptedBy', 'Jonas', 'is changed by the operation complete'],
      ['closingReason', 'over', 'is changed by the operation cancel'],
      ['deletedAt', '2026-01-01T00:00:00Z', 'is changed by one of the operations delete, restore'],
      ['currency', 'USD', 'is set when the deal is created and cannot be changed'],
      ['createdAt', '2026-01-01T00:00:00Z', 'is set by the service'],
      ['id', '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', 'is set by the service'],
    ] as const) {
      isInvalid(await put(deal, { [field]: value }), [{ pointer: `/${field}`, detail }])
    }
    isInvalid(await put(deal, { nam: 'x' }), [{ pointer: '/nam', detail: 'is not known here, did you mean name?' }])
    isInvalid(await put(deal, ['x']), [{ pointer: '', detail: 'must be a JSON object' }])
  })

  test('reports every fault at once, where it stood', async () => {
    const deal = await openDeal(service)
    const body = { name: '', price: 1.001, customerId: 999, completionDate: null, owner: 7, held: true, extra: 1 }
    const { status, body: problem } = await put(deal, body)
    assert.equal(status, 422)
    const all = ['/customerId', '/extra', '/holdReason', '/name', '/owner', '/price']
    assert.deepEqual(problem.errors.map(({ pointer }) => pointer).toSorted(), all)
    isInvalid(await put(deal, { customerId: 999 }), [
      { pointer: '/customerId', detail: 'names customer 999, which does not exist' },
    ])
    await put(deal, { completionDate: '2027-01-01' })
    assert.equal((await put(deal, { completionDate: null })).body.completionDate, null)
  })

  test('with an action beside deal fields is ambiguous', async () => {
    const deal = await openDeal(service)
    for (const body of [
      { action: 'hold', params: { reason: 'x' }, held: true },
      { action: 'hold', holdReason: 'x' },
      { action: 'nothing', revision: 1 },
    ]) {
      for (const answer of [await put(deal, body), await service.request('PATCH', `${DEALS}/${deal.id}`, { body })]) {
        assert.equal(answer.status, 400)
        assert.equal(answer.body.code, 'ambiguous-form')
      }
    }
    assert.equal((await put(deal, { id: deal.id, action: 'hold', params: { reason: 'x' } })).status, 200)
  })

  test('by PATCH is the same, and reads a merge patch', async () => {
    const deal = await openDeal(service, { owner: 'Mila Sanz' })
    const path = `${DEALS}/${deal.id}`
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await service.request('PATCH', path, { body: { owner: null, price: 3 }, headers })
    assert.partialDeepStrictEqual(patched.body, { owner: null, price: 3, revision: 3 })
    assert.equal((await service.request('PUT', path, { body: { price: 4 }, headers })).status, 415)
    assert.equal(
      (await service.request('PATCH', path, { body: { price: 4 }, headers: { 'if-match': '"1-x"' } })).status,
      412,
    )
  })

  testOnEachStore('of an exact total beyond what a double holds differs in nothing', async () => {
    const deal = await openDeal(service, { currency: 'KWD' })
    const pay = (amount: number) => service.request('POST', `${DEALS}/${deal.id}/payments`, { body: { amount } })
    await Promise.all(Array.from({ length: 8 }, () => pay(1e12)))
    await pay(999999999999.999)
    const { text } = await service.request('GET', `${DEALS}/${deal.id}`)
    assert.match(text, /"paid":8999999999999\.999,/)
    const answer = await put(deal, text)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.text, text)
  })
})
