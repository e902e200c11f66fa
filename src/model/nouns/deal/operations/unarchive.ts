import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { archived } from '../rules.ts'

export const unarchive = defineOperation({
  on: deal,
  name: 'unarchive',
  title: 'Take out of the archive',
  words: { participles: ['unarchived'], noun: 'unarchivals', action: 'UnarchiveDeal', event: 'deal.unarchived' },
  group: 'Archive and delete',
  sentence: () => ({ done: 'took it out of the archive' }),
  params: () => ({}),
  examples: [{}],
  allowed: [archived],
  changes: ['archived'],
  fromRow: (deal, wanted) => (wanted.archived === false && deal.archived ? { params: {} } : undefined),
  turn: 'first',
  undo: () => [{ operation: 'archive', params: {} }],
  apply: () => ({ archived: false }),
})
