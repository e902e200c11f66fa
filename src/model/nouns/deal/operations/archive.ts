import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { finished, notArchived } from '../rules.ts'

export const archive = defineOperation({
  on: deal,
  name: 'archive',
  title: 'Archive',
  words: { participles: ['archived'], noun: 'archivals', action: 'ArchiveDeal', event: 'deal.archived' },
  group: 'Archive and delete',
  sentence: () => ({ done: 'archived it' }),
  params: () => ({}),
  examples: [{}],
  allowed: [finished, notArchived],
  changes: ['archived'],
  fromRow: (deal, wanted) => (wanted.archived === true && !deal.archived ? { params: {} } : undefined),
  turn: 'last',
  undo: () => [{ operation: 'unarchive', params: {} }],
  apply: () => ({ archived: true }),
})
