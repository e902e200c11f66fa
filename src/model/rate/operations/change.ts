import { changedFields, fieldsThatDiffer, formerFields } from '../../fields-that-differ.ts'
import { defineOperation } from '../../operation.ts'
import { rate } from '../rate.ts'

export const change = defineOperation({
  on: rate,
  name: 'change',
  title: 'Change',
  words: { participles: ['changed'], noun: 'changes', action: 'ChangeRate', event: 'rate.changed' },
  group: 'Rates',
  sentence: changedFields,
  params: rate.patch,
  examples: [{ perUnit: 1.0841 }],
  allowed: [],
  changes: Object.keys(rate.patch) as (keyof typeof rate.patch)[],
  fromAttributes: fieldsThatDiffer(rate),
  differences: true,
  undo: formerFields(rate),
  apply: (_rate, fields) => fields,
})
