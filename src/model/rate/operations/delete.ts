import { defineOperation } from '../../operation.ts'
import { rate } from '../rate.ts'

export const deleteRate = defineOperation({
  on: rate,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteRate', event: 'rate.deleted' },
  group: 'Rates',
  danger: true,
  sentence: () => ({ done: 'deleted the rate' }),
  params: {},
  examples: [{}],
  allowed: [],
  changes: [],
  removes: true,
  apply: () => ({}),
})
