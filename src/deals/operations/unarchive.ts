import { archived } from '../condition.ts'
import { defineOperation } from '../operation.ts'

export const unarchive = defineOperation({
  name: 'unarchive',
  title: 'Take out of the archive',
  words: { participles: ['unarchived'], noun: 'unarchivals', action: 'UnarchiveDeal', event: 'deal.unarchived' },
  params: {},
  examples: [{}],
  allowed: [archived],
  changes: ['archived'],
  apply: () => ({ archived: false }),
})
