import { pointerTo } from '../../../../values/json/pointer.ts'
import { text } from '../../../../values/kinds/text.ts'
import { optional, required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { positiveAmount } from '../params.ts'
import { notArchived } from '../rules.ts'
import { addTo, difference } from '../total.ts'

export const recordPayment = defineOperation({
  on: deal,
  name: 'record-payment',
  title: 'Record a payment',
  words: {
    participles: ['payment-recorded'],
    noun: 'payments',
    action: 'RecordDealPayment',
    event: 'deal.payment-recorded',
  },
  group: 'Money',
  sentence: ({ amount, reference }, say) => ({
    done: reference === undefined ? 'recorded a payment of {amount}' : 'recorded a payment of {amount}, {reference}',
    with: { amount: say.amount(amount), ...(reference !== undefined && { reference: String(reference) }) },
  }),
  params: () => ({ amount: required(positiveAmount), reference: optional(text({ min: 1, max: 200 })) }),
  examples: [{ amount: 1000, reference: 'INV-2026-118' }, { amount: 0.1 }],
  allowed: [notArchived],
  changes: ['paid'],
  fromRow: (before, { paid = before.paid }) =>
    paid > before.paid ? { params: { amount: difference(before.paid, paid) } } : undefined,
  apply: (deal, { amount }) => addTo(deal.paid, amount, pointerTo('amount'), (paid) => ({ paid })),
})
