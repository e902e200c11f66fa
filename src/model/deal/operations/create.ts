import { optional, required, withDefault } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { dealFields } from '../deal.ts'

export const create = defineOperation({
  name: 'create',
  title: 'Create a deal',
  words: { participles: [], noun: '', action: 'CreateDeal', event: 'deal.created' },
  on: 'nothing',
  params: {
    name: required(dealFields.name),
    price: required(dealFields.price),
    currency: optional(dealFields.currency),
    customerId: withDefault(dealFields.customerId, null),
    owner: withDefault(dealFields.owner, null),
    description: withDefault(dealFields.description, ''),
    stage: withDefault(dealFields.stage, 'lead'),
    completionDate: withDefault(dealFields.completionDate, null),
  },
  examples: [
    { name: 'Forty espresso machines', price: 51800 },
    { name: 'Roof of the south hall', price: 129999.95, currency: 'CHF', stage: 'qualified', owner: 'Mila Sanz' },
  ],
  allowed: [],
  changes: ['currency'],
  apply: (blank, { currency, ...fields }) => ({ ...fields, currency: currency ?? blank.currency }),
})
