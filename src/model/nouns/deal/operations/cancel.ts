import { pointerTo } from '../../../../values/json/pointer.ts'
import { required, withDefault } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { penalty, reason, UNDO, waiving, withPenalty } from '../params.ts'
import { open } from '../rules.ts'
import { addTo, difference } from '../total.ts'

export const cancel = defineOperation({
  on: deal,
  name: 'cancel',
  title: 'Cancel',
  words: { participles: ['cancelled'], noun: 'cancellations', action: 'CancelDeal', event: 'deal.cancelled' },
  group: 'Progress',
  danger: true,
  sentence: ({ amercement, reason }, say) => ({
    ...withPenalty(amercement, say, 'cancelled it', 'cancelled it, penalty {penalty}'),
    said: String(reason),
  }),
  params: () => ({ amercement: withDefault(penalty, 0), reason: required(reason) }),
  examples: [{ amercement: 250, reason: 'customer withdrew' }, { reason: 'customer withdrew' }],
  allowed: [open],
  changes: ['status', 'amercement', 'closingReason'],
  fromRow: (before, { status = before.status, amercement = before.amercement, closingReason }) => {
    if (status !== 'cancelled' || before.status === status) return undefined
    if (closingReason === undefined)
      return {
        faults: [{ code: 'required', with: { wants: 'lost' }, at: { pointer: '/closingReason' } }],
      }
    return { params: { amercement: difference(before.amercement, amercement), reason: closingReason } }
  },
  turn: 'last',
  undo: ({ held, holdReason }, { amercement }) => [
    { operation: 'reopen', params: { reason: UNDO } },
    ...waiving(amercement),
    ...(held ? [{ operation: 'hold', params: { reason: holdReason } }] : []),
  ],
  apply: (deal, { amercement, reason }) =>
    addTo(deal.amercement, amercement, pointerTo('amercement'), (total) => ({
      status: 'cancelled' as const,
      held: false,
      holdReason: null,
      amercement: total,
      closingReason: reason,
    })),
})
