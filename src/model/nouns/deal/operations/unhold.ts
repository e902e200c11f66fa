import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { held } from '../rules.ts'

export const unhold = defineOperation({
  on: deal,
  name: 'unhold',
  title: 'Take off hold',
  words: { participles: ['unholded'], noun: 'unholds', action: 'UnholdDeal', event: 'deal.unheld' },
  group: 'Progress',
  rank: 0,
  sentence: () => ({ done: 'took it off hold' }),
  params: () => ({}),
  examples: [{}],
  allowed: [held],
  changes: ['held', 'holdReason'],
  fromAttributes: (deal, wanted) => (deal.held && wanted.held === false ? { params: {} } : undefined),
  marks: { held: false },
  turn: 'first',
  undo: ({ holdReason }) => [{ operation: 'hold', params: { reason: holdReason } }],
  apply: () => ({ held: false, holdReason: null }),
})
