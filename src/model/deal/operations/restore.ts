import { defineOperation } from '../../operation.ts'
import { deleted, recentlyDeleted } from '../conditions.ts'

export const restore = defineOperation({
  name: 'restore',
  title: 'Restore',
  words: { participles: ['restored'], noun: 'restorations', action: 'RestoreDeal', event: 'deal.restored' },
  on: 'deleted',
  params: {},
  examples: [{}],
  allowed: [deleted, recentlyDeleted],
  changes: ['deletedAt'],
  apply: () => ({ deletedAt: null }),
})
