import { defineChange } from '../../field-change.ts'
import { customer } from '../customer.ts'

export const change = defineChange(customer, {
  noun: 'edits',
  examples: [{ age: 42, children: 3 }, { email: null }],
})
