import { defineOperation } from '../../operation.ts'
import { archived } from '../conditions.ts'

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
