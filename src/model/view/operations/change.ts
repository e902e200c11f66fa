import { defineChange } from '../../field-change.ts'
import { view } from '../view.ts'

export const change = defineChange(view, {
  noun: 'changes',
  examples: [{ query: 'status=open&price.gte=20000' }, { shared: true }],
})
