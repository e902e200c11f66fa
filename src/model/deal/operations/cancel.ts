import { pointerTo, required, withDefault } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { deal } from '../deal.ts'
import { penalty, reason, withPenalty } from '../params.ts'
import { open } from '../rules.ts'
import { addTo } from '../total.ts'

export const cancel = defineOperation({
  on: deal,
  name: 'cancel',
  title: 'Cancel',
  words: { participles: ['cancelled'], noun: 'cancellations', action: 'CancelDeal', event: 'deal.cancelled' },
  group: 'Progress',
  danger: true,
  sentence: ({ amercement, reason }, say) => ({
    done: `cancelled it${withPenalty(amercement, say)}`,
    said: String(reason),
  }),
  params: { amercement: withDefault(penalty, 0), reason: required(reason) },
  examples: [{ amercement: 250, reason: 'customer withdrew' }, { reason: 'customer withdrew' }],
  allowed: [open],
  changes: ['status', 'amercement', 'closingReason'],
  apply: (deal, { amercement, reason }) =>
    addTo(deal.amercement, amercement, pointerTo('amercement'), (total) => ({
      status: 'cancelled' as const,
      held: false,
      holdReason: null,
      amercement: total,
      closingReason: reason,
    })),
})
