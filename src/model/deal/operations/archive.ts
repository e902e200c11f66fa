import { defineOperation } from '../../operation.ts'
import { finished, notArchived } from '../conditions.ts'

export const archive = defineOperation({
  name: 'archive',
  title: 'Archive',
  words: { participles: ['archived'], noun: 'archivals', action: 'ArchiveDeal', event: 'deal.archived' },
  params: {},
  examples: [{}],
  allowed: [finished, notArchived],
  changes: ['archived'],
  apply: () => ({ archived: true }),
})
