import { changedFields, fieldsThatDiffer, formerFields } from '../../fields-that-differ.ts'
import { defineOperation } from '../../operation.ts'
import { customer } from '../customer.ts'

export const change = defineOperation({
  on: customer,
  name: 'change',
  title: 'Change',
  words: { participles: ['changed'], noun: 'edits', action: 'ChangeCustomer', event: 'customer.changed' },
  group: 'Customers',
  sentence: changedFields,
  params: customer.patch,
  examples: [{ age: 42, children: 3 }, { email: null }],
  allowed: [],
  changes: Object.keys(customer.patch) as (keyof typeof customer.patch)[],
  fromAttributes: fieldsThatDiffer(customer),
  differences: true,
  undo: formerFields(customer),
  apply: (_customer, fields) => fields,
})
