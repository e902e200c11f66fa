import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '../../src/model/intent/intent.ts'
import { type Deal, deal as dealResource } from '../../src/model/nouns/deal/deal.ts'
import {
  applied,
  changesOf,
  faultsOf,
  given,
  id,
  newId,
  refused,
  when,
  whenUpdated,
} from '../support/deals/deciding.ts'
import { fc } from '../support/inputs/fast-check.ts'

const held = { held: true, holdReason: 'credit check' }

const operationsOf = (verdict: Verdict): readonly string[] => applied(verdict).events.map(({ operation }) => operation)
const asJson = (deal: Deal): object => JSON.parse(dealResource.toJson(deal)) as object

test('each difference becomes its operation', () => {
  const deal = given()
  const differences: readonly (readonly [object, string, object])[] = [
    [{ name: 'Fifty' }, 'rename', { newName: 'Fifty' }],
    [{ price: 49999.95 }, 'change-price', { newPrice: 49999.95, reason: 'attribute update' }],
    [
      { completionDate: '2027-03-31' },
      'change-completion-date',
      { newDate: '2027-03-31', amercement: 0, whyChanged: 'attribute update' },
    ],
    [{ stage: 'proposal' }, 'move', { stage: 'proposal' }],
    [{ owner: 'Mila' }, 'assign', { owner: 'Mila' }],
    [{ customerId: 1 }, 'change-customer', { customerId: 1 }],
    [{ description: 'x' }, 'describe', { description: 'x' }],
    [{ held: true, holdReason: 'parts' }, 'hold', { reason: 'parts' }],
  ]
  for (const [wanted, operation, params] of differences) {
    const verdict = whenUpdated(deal, wanted)
    assert.deepEqual(operationsOf(verdict), [operation])
    assert.deepEqual(applied(verdict).events[0]?.params, params)
    assert.deepEqual(applied(verdict).deal, applied(when(deal, operation, params)).deal)
  }
})

test('unhold comes first, hold comes last, and each step has its revision and event', () => {
  const deal = given(held)
  const all = {
    held: false,
    name: 'Fifty',
    price: 1,
    completionDate: '2027-03-31',
    stage: 'proposal',
    owner: 'Mila',
    customerId: 1,
    description: 'x',
  }
  const verdict = whenUpdated(deal, all)
  assert.equal(operationsOf(verdict)[0], 'unhold')
  assert.equal(operationsOf(verdict).length, 8)
  assert.deepEqual(
    applied(verdict).events.map((event) => event.deal.revision),
    [4, 5, 6, 7, 8, 9, 10, 11],
  )
  const holding = whenUpdated(given(), { ...all, held: true, holdReason: 'parts' })
  assert.equal(operationsOf(holding).at(-1), 'hold')
  assert.equal(applied(holding).deal.held, true)
})

test('a deal as it was read changes nothing when it is sent back', () => {
  const some: fc.Arbitrary<Partial<Deal>> = fc.record({
    price: fc.integer({ min: 0, max: 1e15 }),
    amercement: fc.integer({ min: 0, max: 9e15 }),
    paid: fc.oneof(fc.integer({ min: 0, max: 9e15 }), fc.bigInt({ min: 2n ** 53n, max: 9n * 10n ** 16n })),
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    held: fc.boolean(),
    archived: fc.boolean(),
    status: fc.constantFrom('open', 'completed', 'cancelled'),
    customerId: fc.constantFrom(null, 1, 2),
  })
  fc.assert(
    fc.property(some, (changes) => {
      const deal = given({ ...changes, holdReason: changes.held ? 'x' : null })
      const verdict = whenUpdated(deal, { ...asJson(deal), links: { self: '/' } })
      assert.deepEqual(operationsOf(verdict), [])
      assert.deepEqual(applied(verdict).deal, deal)
    }),
  )
})

test('a price with more decimals than its currency has stays as it is, and another must not have them', () => {
  const deal = given({ price: 12_500, currency: 'JPY' })
  assert.deepEqual(operationsOf(whenUpdated(deal, { price: 12.5, name: 'Fifty' })), ['rename'])
  assert.deepEqual(faultsOf(whenUpdated(deal, { price: 13.5 })), ['/price must have no decimals in JPY'])
})

test('fields that were not sent stay', () => {
  const deal = given({ ...held, owner: 'Mila' })
  assert.deepEqual(changesOf(deal, whenUpdated(deal, { description: 'x' })), { description: 'x' })
  assert.deepEqual(operationsOf(whenUpdated(deal, {})), [])
})

test('on a held deal another reason replaces the first', () => {
  const deal = given(held)
  assert.deepEqual(operationsOf(whenUpdated(deal, { holdReason: 'parts' })), ['hold'])
  assert.deepEqual(operationsOf(whenUpdated(deal, { held: true })), [])
  assert.deepEqual(operationsOf(whenUpdated(deal, held)), [])
})

test('held without a reason, and a reason without held, are refused', () => {
  assert.deepEqual(faultsOf(whenUpdated(given(), { held: true })), ['/holdReason is required'])
  assert.deepEqual(faultsOf(whenUpdated(given(), { held: true, holdReason: null })), ['/holdReason is required'])
  assert.deepEqual(faultsOf(whenUpdated(given(held), { holdReason: null })), ['/holdReason is required'])
  assert.deepEqual(faultsOf(whenUpdated(given(), { holdReason: 'x' })), ['/holdReason goes with held: true'])
  assert.deepEqual(faultsOf(whenUpdated(given(held), { held: false, holdReason: 'other' })), [
    '/holdReason goes with held: true',
  ])
})

test('a deal can be taken off hold with the reason left in place or emptied', () => {
  assert.deepEqual(operationsOf(whenUpdated(given(held), { held: false })), ['unhold'])
  assert.deepEqual(operationsOf(whenUpdated(given(held), { ...held, held: false })), ['unhold'])
  assert.deepEqual(operationsOf(whenUpdated(given(held), { held: false, holdReason: null })), ['unhold'])
})

test('all or nothing: one step that is not allowed refuses them all', () => {
  const refusal = refused(whenUpdated(given(held), { name: 'Fifty', price: 1 }), 'wrong-state')
  assert.equal(refusal.operation, 'change-price')
  assert.equal(refusal.thing.revision, 3)
  refused(
    whenUpdated(given({ status: 'completed' }), { description: 'x', stage: 'lead', name: 'Fifty' }),
    'wrong-state',
  )
})

test('all or nothing: a fault anywhere is told before the state', () => {
  assert.deepEqual(faultsOf(whenUpdated(given(held), { price: 1, customerId: 9 })), [
    '/customerId names customer 9, which does not exist',
  ])
})

test('a fault stands where the client wrote it', () => {
  const body = { name: '', price: -1, completionDate: '2026-02-30', stage: 'won', held: 'yes', nam: 'x' }
  assert.deepEqual(
    faultsOf(whenUpdated(given(), body)).map((fault) => fault.split(' ', 1)[0]),
    ['/name', '/price', '/completionDate', '/stage', '/held', '/nam'],
  )
})

test('what is wrong with a field and with a step is told at once', () => {
  const all = (body: object) => faultsOf(whenUpdated(given(), body))
  assert.deepEqual(all({ stage: 5, customerId: 9, nam: 'x', held: true }), [
    '/stage must be one of lead, qualified, proposal, negotiation, contract',
    '/nam is not known here, did you mean name?',
    '/customerId names customer 9, which does not exist',
    '/holdReason is required',
  ])
  assert.deepEqual(all({ held: true, holdReason: 5 }), ['/holdReason must be a string'])
  assert.deepEqual(all({ held: 'yes', holdReason: 'x' }), ['/held must be true or false'])
})

test('a field that only an operation changes names it', () => {
  const wrong = {
    status: 'completed',
    paid: 1,
    amercement: 1,
    archived: true,
    completedOn: '2026-11-30',
    acceptedBy: 'x',
    closingReason: 'x',
    deletedAt: '2026-11-30T12:00:00Z',
    currency: 'CHF',
    createdAt: '2026-11-30T12:00:00Z',
    updatedAt: '2026-11-30T12:00:00Z',
    id: newId,
  }
  const told = new Map(
    faultsOf(whenUpdated(given(), wrong)).map((fault) => fault.split(/ (.*)/s, 2) as [string, string]),
  )
  assert.deepEqual(
    [...told.keys()],
    Object.keys(wrong).map((name) => `/${name}`),
  )
  assert.match(told.get('/status') ?? '', /complete, cancel, reopen/)
  assert.match(told.get('/paid') ?? '', /record-payment/)
  assert.match(told.get('/archived') ?? '', /archive, unarchive/)
  assert.match(told.get('/amercement') ?? '', /waive-amercement/)
  assert.match(told.get('/deletedAt') ?? '', /delete, restore/)
  assert.match(told.get('/completedOn') ?? '', /complete/)
  assert.match(told.get('/acceptedBy') ?? '', /complete/)
  assert.match(told.get('/closingReason') ?? '', /cancel/)
  for (const name of ['/currency', '/createdAt', '/updatedAt', '/id']) {
    const own = name === '/currency' ? 'is set when the deal is created and cannot be changed' : 'is set by the service'
    assert.equal(told.get(name), own)
  }
})

test('the same instant in another spelling is no difference', () => {
  assert.deepEqual(operationsOf(whenUpdated(given(), { createdAt: '2026-11-01T09:00:00+01:00', id })), [])
})

test('another revision is stale, whatever else is wrong', () => {
  assert.equal(refused(whenUpdated(given(), { revision: 2, nam: 'x' }), 'stale-revision').current.revision, 3)
  assert.deepEqual(operationsOf(whenUpdated(given(), { revision: 3, name: 'Fifty' })), ['rename'])
  assert.equal(faultsOf(whenUpdated(given(), { revision: '3' })).length, 1)
})

test('what is no object has no attributes', () => {
  for (const raw of [null, [], 'x', 1])
    assert.deepEqual(faultsOf(whenUpdated(given(), raw)), [' must be a JSON object'])
})

test('names that every object inherits are unknown attributes', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const body: unknown = JSON.parse(`{${JSON.stringify(name)}:1}`)
    assert.deepEqual(faultsOf(whenUpdated(given(), body)), [`/${name} is not known here`])
  }
})

test('an update is one command, also when it changes nothing', () => {
  const command = { id: 'k-1', by: 'key' } as const
  const { command: kept } = applied(whenUpdated(given(), { name: 'Fifty', owner: 'Mila' }, { command }))
  assert.equal(kept?.action, 'UpdateDeal')
  assert.equal(kept?.revision, 5)
  const facts = { command: kept }
  assert.equal(whenUpdated(given(), { owner: 'Mila', name: 'Fifty', id }, { command, facts }).kind, 'replay')
  refused(whenUpdated(given(), { owner: 'Mila' }, { command, facts }), 'idempotency-key-reused')
  refused(
    whenUpdated(given(), { owner: 'Mila', name: 'Fifty', id: newId }, { command, facts }),
    'idempotency-key-reused',
  )
  assert.equal(applied(whenUpdated(given(), {}, { command })).command?.revision, 3)
})
