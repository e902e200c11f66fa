import { defineChange, defineCreation, defineRemoval } from '../../declaration/usual-operations.ts'
import { finish } from './operations/finish.ts'
import { reopen } from './operations/reopen.ts'
import { task, withOneSubject } from './task.ts'

/** Everything that can be done with a task. */
export const taskOperations = [
  defineCreation(task, {
    examples: [
      { title: 'Call Ana Ruiz', assignee: 'Mila Sanz', dueOn: '2027-03-31' },
      { title: 'Send the offer', note: 'With the price of last year', dueAt: '2027-03-31T09:30:00.000Z' },
    ],
    apply: withOneSubject,
  }),
  defineChange(task, {
    noun: 'changes',
    examples: [{ dueOn: '2027-04-30', note: 'After the fair' }, { assignee: null }],
    apply: withOneSubject,
  }),
  finish,
  reopen,
  defineRemoval(task),
] as const
