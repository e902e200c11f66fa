import { defineOperation } from '../../operation.ts'
import { held } from '../conditions.ts'

export const unhold = defineOperation({
  name: 'unhold',
  title: 'Take off hold',
  words: { participles: ['unholded'], noun: 'unholds', action: 'UnholdDeal', event: 'deal.unheld' },
  params: {},
  examples: [{}],
  allowed: [held],
  changes: ['held', 'holdReason'],
  fromAttributes: (deal, wanted) => (deal.held && wanted.held === false ? { params: {} } : undefined),
  marks: { held: false },
  apply: () => ({ held: false, holdReason: null }),
})
