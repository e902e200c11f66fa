import { pointerTo } from '../../../../values/json/pointer.ts'
import { amountToText, type Total } from '../../../../values/kinds/money.ts'
import { optional, required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { positiveAmount, reason } from '../params.ts'
import { owing } from '../rules.ts'

export const waiveAmercement = defineOperation({
  on: deal,
  name: 'waive-amercement',
  title: 'Waive the amercement',
  words: {
    participles: ['amercement-waived'],
    noun: 'amercement-waivers',
    action: 'WaiveDealAmercement',
    event: 'deal.amercement-waived',
  },
  group: 'Money',
  sentence: ({ amount, reason }, say) => ({
    ...(amount === undefined
      ? { done: 'waived the penalty' }
      : { done: 'waived {amount} of the penalty', with: { amount: say.amount(amount) } }),
    said: String(reason),
  }),
  params: () => ({ amount: optional(positiveAmount), reason: required(reason) }),
  examples: [{ amount: 100, reason: 'goodwill' }, { reason: 'goodwill' }],
  allowed: [owing],
  changes: ['amercement'],
  apply: (deal, { amount = deal.amercement }) =>
    amount <= deal.amercement
      ? { amercement: less(deal.amercement, amount) }
      : {
          faults: [
            {
              code: 'more-than-owed',
              with: { owed: amountToText(deal.amercement) },
              at: { pointer: pointerTo('amount') },
            },
          ],
        },
})

/** Exact for totals beyond the safe integers too; the difference may be a safe integer again. */
function less(total: Total, amount: Total): Total {
  const rest = BigInt(total) - BigInt(amount)
  return rest > BigInt(Number.MAX_SAFE_INTEGER) ? rest : Number(rest)
}
