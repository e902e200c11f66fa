import { defineOperation } from '../../operation.ts'
import { finished, notArchived } from '../conditions.ts'
import { deal } from '../deal.ts'

export const archive = defineOperation({
  on: deal,
  name: 'archive',
  title: 'Archive',
  words: { participles: ['archived'], noun: 'archivals', action: 'ArchiveDeal', event: 'deal.archived' },
  group: 'Archive and delete',
  sentence: () => ({ done: 'archived it' }),
  params: {},
  examples: [{}],
  allowed: [finished, notArchived],
  changes: ['archived'],
  apply: () => ({ archived: true }),
})
