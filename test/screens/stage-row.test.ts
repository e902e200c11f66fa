import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { daysInStages } from '../../src/screens/deals/way.ts'

const day = (of: number): string => new Date(Date.UTC(2026, 10, of)).toISOString()
const entry = (operation: string, of: number, params: { readonly [name: string]: unknown } = {}) => ({
  ...{ operation, params },
  at: day(of),
})
const begins = () => ({ pipeline: 'sales', stage: 'lead' })
const open = { status: 'open', pipeline: 'sales', stage: 'proposal' } as const

suite('the days of a deal in its stages', () => {
  test('are those between its moves, and until now in the stage where it is', () => {
    const entries = [entry('move', 6, { stage: 'proposal' }), entry('rename', 3), entry('create', 1)]
    assert.deepEqual(
      [...daysInStages(open, entries, begins, day(9))],
      [
        ['sales lead', 5],
        ['sales proposal', 3],
      ],
    )
  })

  test('add up if it comes back, and leave out the days in which it was closed', () => {
    const entries = [
      entry('move', 20, { stage: 'proposal' }),
      entry('reopen', 15),
      entry('complete', 10),
      entry('move', 8, { stage: 'lead' }),
      entry('move', 4, { stage: 'proposal' }),
      entry('create', 1),
    ]
    assert.deepEqual(
      [...daysInStages(open, entries, begins, day(21))],
      [
        ['sales lead', 10],
        ['sales proposal', 5],
      ],
    )
  })

  test('are told from the first move on if older entries were not read', () => {
    const entries = [entry('move', 6, { stage: 'proposal', pipeline: 'sales' }), entry('assign', 2)]
    assert.deepEqual([...daysInStages(open, entries, undefined, day(7))], [['sales proposal', 1]])
  })

  test('end where a deal was won or lost', () => {
    const entries = [entry('cancel', 6, { reason: 'x' }), entry('create', 1)]
    const lost = { status: 'cancelled', pipeline: 'sales', stage: 'lead' } as const
    assert.deepEqual([...daysInStages(lost, entries, begins, day(30))], [['sales lead', 5]])
  })
})
