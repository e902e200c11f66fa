import { defineOperation } from '../../../declaration/operation.ts'
import { task } from '../task.ts'

export const finish = defineOperation({
  on: task,
  name: 'finish',
  title: 'Finish',
  words: { participles: ['finished'], noun: 'finishings', action: 'FinishTask', event: 'task.finished' },
  group: 'Tasks',
  rank: 1,
  sentence: () => ({ done: 'finished the task' }),
  params: () => ({}),
  examples: [{}],
  allowed: [{ meets: ({ status }) => status === 'open', reason: () => ({ code: 'task-done' }) }],
  changes: ['status'],
  fromAttributes: (task, { status = task.status }) =>
    status === 'done' && task.status !== 'done' ? { params: {} } : undefined,
  marks: { status: 'done' },
  turn: 'last',
  undo: () => [{ operation: 'reopen', params: {} }],
  apply: () => ({ status: 'done' as const }),
})
