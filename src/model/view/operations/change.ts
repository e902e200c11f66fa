import { changedFields, fieldsThatDiffer, formerFields } from '../../fields-that-differ.ts'
import { defineOperation } from '../../operation.ts'
import { view } from '../view.ts'

export const change = defineOperation({
  on: view,
  name: 'change',
  title: 'Change',
  words: { participles: ['changed'], noun: 'changes', action: 'ChangeView', event: 'view.changed' },
  group: 'Views',
  sentence: changedFields,
  params: view.patch,
  examples: [{ query: 'status=open&price.gte=20000' }, { shared: true }],
  allowed: [],
  changes: Object.keys(view.patch) as (keyof typeof view.patch)[],
  fromAttributes: fieldsThatDiffer(view),
  differences: true,
  undo: formerFields(view),
  apply: (_view, fields) => fields,
})
