import { optional, pointerTo, required } from '../../values/members.ts'
import { centsToText } from '../../values/number.ts'
import { owing } from '../condition.ts'
import { defineOperation } from '../operation.ts'
import { positiveAmount, reason } from '../params.ts'

export const waiveAmercement = defineOperation({
  name: 'waive-amercement',
  title: 'Waive the amercement',
  words: {
    participles: ['amercement-waived'],
    noun: 'amercement-waivers',
    action: 'WaiveDealAmercement',
    event: 'deal.amercement-waived',
  },
  params: { amount: optional(positiveAmount), reason: required(reason) },
  examples: [{ amount: 100, reason: 'goodwill' }, { reason: 'goodwill' }],
  allowed: [owing],
  changes: ['amercement'],
  apply: (deal, { amount = deal.amercement }) =>
    amount <= deal.amercement
      ? { amercement: deal.amercement - amount }
      : { faults: [{ pointer: pointerTo('amount'), detail: `is more than the ${centsToText(deal.amercement)} owed` }] },
})
