import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'

export const deleteDeal = defineOperation({
  on: deal,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteDeal', event: 'deal.deleted' },
  group: 'Archive and delete',
  danger: true,
  sentence: () => ({ done: 'deleted the deal' }),
  params: () => ({}),
  examples: [{}],
  allowed: [],
  changes: ['deletedAt'],
  undo: () => [{ operation: 'restore', params: {} }],
  apply: (_deal, _params, now) => ({ deletedAt: now }),
})
