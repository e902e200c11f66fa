import { defineChange } from '../../field-change.ts'
import { task, withOneSubject } from '../task.ts'

export const change = defineChange(task, {
  noun: 'changes',
  examples: [{ dueOn: '2027-04-30', note: 'After the fair' }, { assignee: null }],
  apply: withOneSubject,
})
