import { defineOperation } from '../../operation.ts'
import { customer } from '../customer.ts'

export const deleteCustomer = defineOperation({
  on: customer,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteCustomer', event: 'customer.deleted' },
  group: 'Customers',
  danger: true,
  sentence: () => ({ done: 'deleted the customer' }),
  role: 'admin',
  params: {},
  examples: [{}],
  allowed: [],
  changes: [],
  removes: true,
  apply: () => ({}),
})
