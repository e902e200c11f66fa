import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deal } from '../../src/model/nouns/deal/deal.ts'
import {
  applied,
  changesOf,
  faultsOf,
  given,
  id,
  newId,
  now,
  refused,
  when,
  whenUpdated,
} from '../support/deals/deciding.ts'
import { deal as dealResource } from '../support/schema.ts'

const { operations } = dealResource

const held = { held: true, holdReason: 'credit check' }
const completed = { status: 'completed', completedOn: '2026-11-20', acceptedBy: 'Jonas Weber' } as const
const cancelled = { status: 'cancelled', closingReason: 'customer withdrew', amercement: 25_000 } as const

test('every operation has an event of its own', () => {
  assert.equal(new Set(operations.map(({ words }) => words.event)).size, operations.length)
})

test('create: a deal begins open, in the first stage, at revision 1', () => {
  const { deal, events } = applied(when(undefined, 'create', { name: ' Roof ', price: 129999.95 }))
  assert.deepEqual(deal, {
    id: newId,
    name: 'Roof',
    price: 129_999_950,
    currency: 'EUR',
    customerId: null,
    owner: null,
    description: '',
    pipeline: 'sales',
    stage: 'lead',
    completionDate: null,
    reference: null,
    status: 'open',
    held: false,
    holdReason: null,
    archived: false,
    amercement: 0,
    paid: 0,
    completedOn: null,
    acceptedBy: null,
    closingReason: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  })
  assert.deepEqual(events[0]?.params, {
    name: 'Roof',
    price: 129999.95,
    currency: 'EUR',
    customerId: null,
    owner: null,
    description: '',
    pipeline: 'sales',
    stage: 'lead',
    completionDate: null,
    reference: null,
  })
})

test('create: everything that may be given is taken', () => {
  const given = {
    name: 'Roof',
    price: 0,
    currency: 'CHF',
    customerId: 2,
    owner: 'Mila Sanz',
    description: 'South hall.\nIn spring.',
    stage: 'qualified',
    completionDate: '2028-02-29',
  }
  const { deal } = applied(when(undefined, 'CreateDeal', given))
  for (const [name, value] of Object.entries(given)) assert.equal(deal[name as keyof Deal], value)
})

test('create: the currency that a setting names is the default', () => {
  const { deal } = applied(
    when(undefined, 'create', { name: 'Roof', price: 1 }, { facts: { defaults: { currency: 'JPY' } } }),
  )
  assert.equal(deal.currency, 'JPY')
})

test('create: every fault is told at once', () => {
  const body = { price: '1', currency: 'EURO', customerId: 7.5, stage: 'won', completionDate: '2026-02-29', held: true }
  assert.deepEqual(
    faultsOf(when(undefined, 'create', body)).map((fault) => fault.split(' ', 1)[0]),
    ['/name', '/price', '/currency', '/customerId', '/stage', '/completionDate', '/held'],
  )
})

test('create: a customer that does not exist is named', () => {
  const verdict = when(undefined, 'create', { name: 'Roof', price: 1, customerId: 9 })
  assert.deepEqual(faultsOf(verdict), ['/customerId names customer 9, which does not exist'])
})

test('create is not done to a deal that exists, nor to one that does not', () => {
  const body = { name: 'Roof', price: 1 }
  assert.equal(refused(when(given(), 'create', body), 'unknown-action').fault.at.pointer, '')
  refused(when(undefined, 'create', body, { target: newId }), 'not-found')
  refused(when(given({ deletedAt: now }), 'create', body), 'deleted')
})

test('delete: the deal is gone, and restore brings it back as it was', () => {
  const deal = given(held)
  const { deal: deleted } = applied(when(deal, 'delete'))
  assert.deepEqual(changesOf(deal, when(deal, 'delete')), { deletedAt: now })
  assert.deepEqual(changesOf(deleted, when(deleted, 'restore')), { deletedAt: null })
})

test('hold: the deal is held for a reason', () => {
  const deal = given()
  assert.deepEqual(changesOf(deal, when(deal, 'hold', { reason: 'credit check' })), held)
})

test('hold: on a held deal the reason is replaced', () => {
  const deal = given(held)
  assert.deepEqual(changesOf(deal, when(deal, 'hold', { reason: 'parts' })), { holdReason: 'parts' })
})

test('hold: the same reason again is recorded all the same', () => {
  const deal = given(held)
  assert.deepEqual(changesOf(deal, when(deal, 'hold', { reason: 'credit check' })), {})
})

test('unhold: the reason goes with the hold', () => {
  const deal = given(held)
  assert.deepEqual(changesOf(deal, when(deal, 'unhold')), { held: false, holdReason: null })
})

test('complete: the day and who accepted are kept, the note lives in the history', () => {
  const deal = given()
  const params = { completedOn: '2026-11-20', acceptedBy: 'Jonas Weber', note: 'signed on site' }
  const verdict = when(deal, 'complete', params)
  assert.deepEqual(changesOf(deal, verdict), completed)
  assert.deepEqual(applied(verdict).events[0]?.params, params)
})

test('complete: without a day it is today', () => {
  const deal = given()
  assert.deepEqual(changesOf(deal, when(deal, 'complete')), { status: 'completed', completedOn: '2026-11-30' })
})

test('cancel: the hold is cleared, the reason kept, the penalty charged', () => {
  const deal = given({ ...held, amercement: 500 })
  assert.deepEqual(changesOf(deal, when(deal, 'cancel', { amercement: 0.1, reason: 'customer withdrew' })), {
    status: 'cancelled',
    held: false,
    holdReason: null,
    closingReason: 'customer withdrew',
    amercement: 600,
  })
})

test('cancel: a penalty is not a must', () => {
  const deal = given()
  const verdict = when(deal, 'cancel', { reason: 'customer withdrew' })
  assert.equal(applied(verdict).deal.amercement, 0)
  assert.deepEqual(applied(verdict).events[0]?.params, { amercement: 0, reason: 'customer withdrew' })
})

test('reopen: what closing set is cleared, the amercement stays', () => {
  const deal = given(cancelled)
  assert.deepEqual(changesOf(deal, when(deal, 'reopen', { reason: 'came back' })), {
    status: 'open',
    closingReason: null,
  })
  const other = given(completed)
  assert.deepEqual(changesOf(other, when(other, 'reopen', { reason: 'came back' })), {
    status: 'open',
    completedOn: null,
    acceptedBy: null,
  })
})

test('archive and unarchive mark a finished deal and nothing else', () => {
  const deal = given(completed)
  const { deal: archived } = applied(when(deal, 'archive'))
  assert.deepEqual(changesOf(deal, when(deal, 'archive')), { archived: true })
  assert.deepEqual(changesOf(archived, when(archived, 'unarchive')), { archived: false })
})

test('change-price: the new price, to the cent', () => {
  const deal = given()
  assert.deepEqual(changesOf(deal, when(deal, 'change-price', { newPrice: 0.29, reason: 'x' })), { price: 290 })
})

test('change-completion-date: the day changes and the penalty is added', () => {
  const deal = given({ amercement: 100 })
  const params = { newDate: '2027-03-31', amercement: 120.5, whyChanged: 'parts arrive late' }
  assert.deepEqual(changesOf(deal, when(deal, 'change-completion-date', params)), {
    completionDate: '2027-03-31',
    amercement: 120_600,
  })
})

test('rename, describe, assign, change-customer and move each set their field', () => {
  const deal = given({ owner: 'Mila Sanz', customerId: 1, description: 'old' })
  const set = (operation: string, params: object) => changesOf(deal, when(deal, operation, params))
  assert.deepEqual(set('rename', { newName: ' Fifty ' }), { name: 'Fifty' })
  assert.deepEqual(set('describe', { description: 'new' }), { description: 'new' })
  assert.deepEqual(set('describe', { description: '' }), { description: '' })
  assert.deepEqual(set('assign', { owner: 'Jonas' }), { owner: 'Jonas' })
  assert.deepEqual(set('assign', { owner: null }), { owner: null })
  assert.deepEqual(set('change-customer', { customerId: 2 }), { customerId: 2 })
  assert.deepEqual(set('change-customer', { customerId: null }), { customerId: null })
  assert.deepEqual(set('move', { stage: 'contract' }), { stage: 'contract' })
})

test('assign and change-customer must say whom, be it nobody', () => {
  assert.deepEqual(faultsOf(when(given(), 'assign')), ['/owner is required'])
  assert.deepEqual(faultsOf(when(given(), 'change-customer')), ['/customerId is required'])
  assert.deepEqual(faultsOf(when(given(), 'change-customer', { customerId: 3 })), [
    '/customerId names customer 3, which does not exist',
  ])
})

test('add-note: the deal is as it was, the note in the history', () => {
  const deal = given()
  const verdict = when(deal, 'add-note', { text: 'Called.' })
  assert.deepEqual(changesOf(deal, verdict), {})
  const happenedAt = applied(verdict).events[0]?.at
  assert.deepEqual(applied(verdict).events[0]?.params, { text: 'Called.', kind: 'note', happenedAt })
})

test('add-note: a call of last week, and nothing that is to come', () => {
  const call = { text: 'Called.', kind: 'call', happenedAt: '2026-11-20T10:00:00+01:00' }
  const { params } = applied(when(given(), 'add-note', call)).events[0] ?? {}
  assert.deepEqual(params, { ...call, happenedAt: '2026-11-20T09:00:00.000Z' })
  applied(when(given(), 'add-note', { ...call, happenedAt: '2026-12-01T23:59:00Z' }))
  assert.deepEqual(faultsOf(when(given(), 'add-note', { ...call, happenedAt: '2026-12-02T00:00:00Z' })), [
    '/happenedAt must not be after tomorrow, 2026-12-01',
  ])
  assert.equal(faultsOf(when(given(), 'add-note', { ...call, kind: 'fax' })).length, 1)
})

test('record-payment: ten payments of 0.1 are exactly 1', () => {
  let deal = given()
  for (let paid = 0; paid < 10; paid++) deal = applied(when(deal, 'record-payment', { amount: 0.1 })).deal
  assert.equal(deal.paid, 1000)
  assert.equal(deal.revision, 13)
})

test('record-payment: nothing and less are no payment', () => {
  for (const amount of [0, -0, -1, 0.001]) {
    assert.equal(faultsOf(when(given(), 'record-payment', { amount })).length, 1, String(amount))
  }
})

test('a total beyond 9e12 is refused, up to it it is exact', () => {
  const paid = 9e15 - 100
  const deal = given({ paid, amercement: paid })
  const late = { newDate: '2027-01-01', whyChanged: 'x' }
  assert.equal(applied(when(deal, 'record-payment', { amount: 0.1 })).deal.paid, 9e15)
  assert.equal(applied(when(deal, 'cancel', { amercement: 0.1, reason: 'x' })).deal.amercement, 9e15)
  const beyond = 'would take the total beyond 9000000000000'
  assert.deepEqual(faultsOf(when(deal, 'record-payment', { amount: 0.11 })), [`/amount ${beyond}`])
  assert.deepEqual(faultsOf(when(deal, 'cancel', { amercement: 0.11, reason: 'x' })), [`/amercement ${beyond}`])
  assert.deepEqual(faultsOf(when(deal, 'change-completion-date', { ...late, amercement: 1e12 })), [
    `/amercement ${beyond}`,
  ])
})

test('an amount has at most as many decimals as the currency of the deal', () => {
  for (const [currency, fine, finer, detail] of [
    ['EUR', 12.34, 12.345, 'must have at most 2 decimals in EUR'],
    ['JPY', 12, 12.5, 'must have no decimals in JPY'],
    ['KWD', 12.345, 12.3456, 'must have at most as many decimals as its currency'],
    ['CLF', 12.345, 12.3456, 'must have at most as many decimals as its currency'],
  ] as const) {
    const deal = given({ currency, amercement: 100_000 })
    const late = { newDate: '2027-01-01', whyChanged: 'x' }
    const asked: readonly (readonly [string, string, object])[] = [
      ['change-price', 'newPrice', { reason: 'x' }],
      ['cancel', 'amercement', { reason: 'x' }],
      ['change-completion-date', 'amercement', late],
      ['record-payment', 'amount', {}],
      ['waive-amercement', 'amount', { reason: 'x' }],
    ]
    for (const [operation, param, others] of asked) {
      applied(when(deal, operation, { ...others, [param]: fine }))
      assert.deepEqual(faultsOf(when(deal, operation, { ...others, [param]: finer })), [`/${param} ${detail}`])
    }
    applied(when(undefined, 'create', { name: 'Roof', price: fine, currency }))
    assert.deepEqual(faultsOf(when(undefined, 'create', { name: '', price: finer, currency })), [
      '/name must not be empty',
      `/price ${detail}`,
    ])
  }
})

test('amounts that an earlier release kept stay as they are', () => {
  const large = 89_999_999_999_999_990n
  const deal = given({ currency: 'JPY', price: 12_500, amercement: large, paid: large })
  assert.deepEqual(changesOf(deal, when(deal, 'rename', { newName: 'Fifty' })), { name: 'Fifty' })
  assert.equal(applied(when(deal, 'cancel', { reason: 'x' })).deal.amercement, large)
  assert.equal(faultsOf(when(deal, 'record-payment', { amount: 1 })).length, 1)
  assert.equal(applied(when(deal, 'waive-amercement', { amount: 1, reason: 'x' })).deal.amercement, large - 1000n)
  assert.equal(applied(when(deal, 'waive-amercement', { reason: 'x' })).deal.amercement, 0)
})

test('record-payment: a cancelled deal can still be paid', () => {
  assert.deepEqual(changesOf(given(cancelled), when(given(cancelled), 'record-payment', { amount: 25 })), {
    paid: 25_000,
  })
})

test('change-completion-date: none agreed', () => {
  const deal = given({ completionDate: '2027-01-01' })
  const verdict = when(deal, 'change-completion-date', { newDate: null, whyChanged: 'x' })
  assert.deepEqual(changesOf(deal, verdict), { completionDate: null })
  assert.deepEqual(changesOf(deal, whenUpdated(deal, { completionDate: null })), { completionDate: null })
})

test('complete: not later than tomorrow, in whichever state the deal is', () => {
  applied(when(given(), 'complete', { completedOn: '2026-12-01' }))
  const late = ['/completedOn must not be after tomorrow, 2026-12-01']
  for (const deal of [given(), given(cancelled)]) {
    assert.deepEqual(faultsOf(when(deal, 'complete', { completedOn: '2026-12-02' })), late)
  }
})

test('texts are kept exactly as they were sent, names are trimmed', () => {
  const sent = '  indented\n  code\n'
  for (const [operation, param, others] of limits) {
    const { events } = applied(when(given(), operation, { ...others, [param]: sent }))
    assert.equal(events[0]?.params[param], param === 'newName' ? sent.trim() : sent)
  }
})

test('an id beside the parameters may be in either case', () => {
  applied(when(given(), 'hold', { id: id.toUpperCase(), reason: 'x' }))
  applied(when(given(), 'hold', { id, reason: 'x' }, { target: id.toUpperCase() }))
})

test('waive-amercement: all of it, or as much as is said', () => {
  const deal = given({ amercement: 250_100 })
  assert.deepEqual(changesOf(deal, when(deal, 'waive-amercement', { reason: 'goodwill' })), { amercement: 0 })
  assert.deepEqual(changesOf(deal, when(deal, 'waive-amercement', { amount: 250, reason: 'goodwill' })), {
    amercement: 100,
  })
})

test('waive-amercement: more than owed is refused', () => {
  const deal = given({ amercement: 250_100 })
  const verdict = when(deal, 'waive-amercement', { amount: 250.11, reason: 'goodwill' })
  assert.deepEqual(faultsOf(verdict), ['/amount is more than the 250.1 owed'])
})

test('waive-amercement: a deal of any status can be forgiven', () => {
  for (const changes of [{}, held, completed, cancelled, { ...completed, archived: true }]) {
    applied(when(given({ ...changes, amercement: 1 }), 'waive-amercement', { reason: 'goodwill' }))
  }
})

const limits: readonly (readonly [string, string, object, number])[] = [
  ['hold', 'reason', {}, 1000],
  ['cancel', 'reason', {}, 1000],
  ['change-price', 'reason', { newPrice: 1 }, 1000],
  ['change-completion-date', 'whyChanged', { newDate: '2027-01-01' }, 1000],
  ['rename', 'newName', {}, 200],
  ['describe', 'description', {}, 10_000],
  ['add-note', 'text', {}, 5000],
]

test('texts have the lengths of the contract', () => {
  for (const [operation, param, others, longest] of limits) {
    applied(when(given(), operation, { ...others, [param]: '😀'.repeat(longest) }))
    const verdict = when(given(), operation, { ...others, [param]: 'x'.repeat(longest + 1) })
    assert.deepEqual(faultsOf(verdict), [`/${param} must have at most ${longest} characters, not ${longest + 1}`])
    if (operation === 'describe') continue
    assert.deepEqual(faultsOf(when(given(), operation, { ...others, [param]: '' })), [`/${param} must not be empty`])
    for (const blank of [' ', '\u200b']) {
      assert.equal(faultsOf(when(given(), operation, { ...others, [param]: blank })).length, 1)
    }
  }
})
