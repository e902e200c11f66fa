import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { deleted, recentlyDeleted } from '../rules.ts'

export const restore = defineOperation({
  on: deal,
  name: 'restore',
  title: 'Restore',
  words: { participles: ['restored'], noun: 'restorations', action: 'RestoreDeal', event: 'deal.restored' },
  group: 'Archive and delete',
  sentence: () => ({ done: 'restored the deal' }),
  to: 'deleted',
  params: () => ({}),
  examples: [{}],
  allowed: [deleted, recentlyDeleted],
  changes: ['deletedAt'],
  undo: () => [{ operation: 'delete', params: {} }],
  apply: () => ({ deletedAt: null }),
})
