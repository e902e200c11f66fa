import { defineOperation } from '../../operation.ts'
import { customer } from '../customer.ts'

export const create = defineOperation({
  on: customer,
  name: 'create',
  title: 'Create a customer',
  words: { participles: [], noun: '', action: 'CreateCustomer', event: 'customer.created' },
  group: 'Customers',
  sentence: () => ({ done: 'created the customer' }),
  to: 'nothing',
  params: ({ create }) => create,
  examples: [
    { name: 'Ana Ruiz', email: 'ana@example.com', age: 41, children: 2, country: 'ES', company: 'Ruiz e Hijos' },
    { name: 'Jonas Weber' },
  ],
  allowed: [],
  changes: [],
  apply: (_blank, fields) => fields,
})
