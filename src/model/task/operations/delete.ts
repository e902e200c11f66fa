import { defineOperation } from '../../operation.ts'
import { task } from '../task.ts'

export const deleteTask = defineOperation({
  on: task,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteTask', event: 'task.deleted' },
  group: 'Tasks',
  danger: true,
  sentence: () => ({ done: 'deleted the task' }),
  params: {},
  examples: [{}],
  allowed: [],
  changes: [],
  removes: true,
  apply: () => ({}),
})
