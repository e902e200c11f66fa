import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { notHeld, open } from '../conditions.ts'
import { dealFields } from '../deal.ts'

export const changeCustomer = defineOperation({
  name: 'change-customer',
  title: 'Change the customer',
  words: {
    participles: ['customer-changed'],
    noun: 'customer-changes',
    action: 'ChangeDealCustomer',
    event: 'deal.customer-changed',
  },
  params: { customerId: required(dealFields.customerId) },
  examples: [{ customerId: 1 }, { customerId: null }],
  allowed: [open, notHeld],
  changes: ['customerId'],
  fromAttributes: (deal, { customerId = deal.customerId }) =>
    customerId === deal.customerId ? undefined : { params: { customerId } },
  sets: { customerId: 'customerId' },
  apply: (_deal, { customerId }) => ({ customerId }),
})
