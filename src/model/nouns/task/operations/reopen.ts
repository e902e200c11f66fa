import { defineOperation } from '../../../declaration/operation.ts'
import { task } from '../task.ts'

export const reopen = defineOperation({
  on: task,
  name: 'reopen',
  title: 'Reopen',
  words: { participles: ['reopened'], noun: 'reopenings', action: 'ReopenTask', event: 'task.reopened' },
  group: 'Tasks',
  rank: 2,
  sentence: () => ({ done: 'reopened the task' }),
  params: () => ({}),
  examples: [{}],
  allowed: [{ meets: ({ status }) => status === 'done', reason: () => ({ code: 'task-open' }) }],
  changes: ['status'],
  fromAttributes: (task, { status = task.status }) =>
    status === 'open' && task.status !== 'open' ? { params: {} } : undefined,
  marks: { status: 'open' },
  turn: 'first',
  undo: () => [{ operation: 'finish', params: {} }],
  apply: () => ({ status: 'open' as const }),
})
