import { defineOperation } from '../../operation.ts'

export const deleteDeal = defineOperation({
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteDeal', event: 'deal.deleted' },
  params: {},
  examples: [{}],
  allowed: [],
  changes: ['deletedAt'],
  apply: (_deal, _params, now) => ({ deletedAt: now }),
})
