import { changedFields, fieldsThatDiffer, formerFields } from '../../fields-that-differ.ts'
import { defineOperation } from '../../operation.ts'
import { task, withOneSubject } from '../task.ts'

export const change = defineOperation({
  on: task,
  name: 'change',
  title: 'Change',
  words: { participles: ['changed'], noun: 'changes', action: 'ChangeTask', event: 'task.changed' },
  group: 'Tasks',
  sentence: changedFields,
  params: task.patch,
  examples: [{ dueOn: '2027-04-30', note: 'After the fair' }, { assignee: null }],
  allowed: [],
  changes: Object.keys(task.patch) as (keyof typeof task.patch)[],
  fromAttributes: fieldsThatDiffer(task),
  differences: true,
  undo: formerFields(task),
  apply: withOneSubject,
})
