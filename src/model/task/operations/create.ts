import { defineOperation } from '../../operation.ts'
import { task, withOneSubject } from '../task.ts'

export const create = defineOperation({
  on: task,
  name: 'create',
  title: 'Create a task',
  words: { participles: [], noun: '', action: 'CreateTask', event: 'task.created' },
  group: 'Tasks',
  sentence: () => ({ done: 'created the task' }),
  to: 'nothing',
  params: ({ create }) => create,
  examples: [
    { title: 'Call Ana Ruiz', assignee: 'Mila Sanz', dueOn: '2027-03-31' },
    { title: 'Send the offer', note: 'With the price of last year', dueAt: '2027-03-31T09:30:00.000Z' },
  ],
  allowed: [],
  changes: [],
  apply: withOneSubject,
})
