import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { notHeld, open } from '../rules.ts'

export const changeCustomer = defineOperation({
  on: deal,
  name: 'change-customer',
  title: 'Change the customer',
  words: {
    participles: ['customer-changed'],
    noun: 'customer-changes',
    action: 'ChangeDealCustomer',
    event: 'deal.customer-changed',
  },
  group: 'Terms',
  sentence: ({ customerId }, say) =>
    customerId === null
      ? { done: 'removed the customer' }
      : { done: 'changed the customer to {customer}', with: { customer: say.name('customer', customerId) } },
  params: ({ kinds }) => ({ customerId: required(kinds.customerId) }),
  examples: [{ customerId: 1 }, { customerId: null }],
  allowed: [open, notHeld],
  changes: ['customerId'],
  fromAttributes: (deal, { customerId = deal.customerId }) =>
    customerId === deal.customerId ? undefined : { params: { customerId } },
  sets: { customerId: 'customerId' },
  undo: ({ customerId }) => [{ operation: 'change-customer', params: { customerId } }],
  apply: (_deal, { customerId }) => ({ customerId }),
})
