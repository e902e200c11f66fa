import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intent, Verdict } from '../../src/model/intent/intent.ts'
import { applied, changesOf, faultsOf, given, refused, when, whenUpdated } from '../support/deals/deciding.ts'

const operationsOf = (verdict: Verdict): readonly string[] => applied(verdict).events.map(({ operation }) => operation)

const whenImported = (attributes: object, command?: Intent['command']): Verdict =>
  when(undefined, undefined, undefined, {
    change: {
      action: 'CreateDeal',
      params: { name: 'Forty espresso machines', price: 100 },
      afterwards: { attributes, row: true },
    },
    ...(command && { command }),
  })

const whenRow = (deal: ReturnType<typeof given>, attributes: object): Verdict =>
  whenUpdated(deal, attributes, { change: { attributes, row: true } })

test('a row creates a deal in its state by the operations that lead there', () => {
  const states: readonly (readonly [object, readonly string[]])[] = [
    [{ status: 'open', held: false, archived: false, paid: 0, amercement: 0 }, ['create']],
    [{ held: true, holdReason: 'credit check' }, ['create', 'hold']],
    [
      { status: 'completed', completedOn: '2026-10-01', acceptedBy: 'Jo', paid: 40 },
      ['create', 'record-payment', 'complete'],
    ],
    [
      { status: 'cancelled', closingReason: 'withdrew', amercement: 25, archived: true },
      ['create', 'cancel', 'archive'],
    ],
  ]
  for (const [state, operations] of states) assert.deepEqual(operationsOf(whenImported(state)), operations)
})

test('a row brings a deal that exists to its state, and asks for nothing where it is', () => {
  const completed = given({ status: 'completed', completedOn: '2026-10-01', paid: 10_000 })
  assert.deepEqual(operationsOf(whenRow(completed, { status: 'open', name: 'Fifty' })), ['reopen', 'rename'])
  assert.deepEqual(operationsOf(whenRow(completed, { paid: 10.5 })), ['record-payment'])
  assert.deepEqual(operationsOf(whenRow(completed, { status: 'completed', completedOn: '2026-10-01', paid: 10 })), [])
  assert.deepEqual(operationsOf(whenRow({ ...completed, archived: true }, { archived: false })), ['unarchive'])
  assert.deepEqual(changesOf(completed, whenRow(completed, { paid: 10.5 })), { paid: 10_500 })
})

test('a state that no operation leads to is a fault of the row', () => {
  const deal = given({ paid: 10_000 })
  const wrong: readonly (readonly [object, string])[] = [
    [{ paid: 5 }, '/paid'],
    [{ amercement: 5 }, '/amercement'],
    [{ completedOn: '2026-10-01' }, '/completedOn'],
    [{ status: 'cancelled' }, '/closingReason'],
    [{ currency: 'CHF' }, '/currency'],
    [{ deletedAt: '2026-10-01T00:00:00.000Z' }, '/deletedAt'],
  ]
  for (const [state, pointer] of wrong) {
    assert.deepEqual(
      faultsOf(whenRow(deal, state)).map((fault) => fault.split(' ')[0]),
      [pointer],
    )
  }
})

test('a refused row leaves no command behind, so that it can be corrected', () => {
  const verdict = whenImported({ status: 'completed', held: true, holdReason: 'x' }, { id: 'import-deal-1', by: 'id' })
  refused(verdict, 'invalid')
  assert.equal('command' in verdict, false)
})

test('an attribute update must still name what only a row asks for', () => {
  assert.deepEqual(faultsOf(whenUpdated(given(), { status: 'completed' })), [
    '/status is changed by one of the operations complete, cancel, reopen',
  ])
})
