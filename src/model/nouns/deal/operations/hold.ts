import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { reason } from '../params.ts'
import { open } from '../rules.ts'

export const hold = defineOperation({
  on: deal,
  name: 'hold',
  title: 'Put on hold',
  again: 'Change the reason',
  words: { participles: ['holded', 'held'], noun: 'holds', action: 'HoldDeal', event: 'deal.held' },
  group: 'Progress',
  sentence: ({ reason }) => ({ done: 'put it on hold', said: String(reason) }),
  params: () => ({ reason: required(reason) }),
  examples: [{ reason: 'credit check' }],
  allowed: [open],
  changes: ['held', 'holdReason'],
  fromAttributes: (deal, { held = deal.held, holdReason = deal.holdReason }) => {
    const newReason = holdReason !== deal.holdReason
    if (held && deal.held && !newReason) return undefined
    if (held) return { params: holdReason === null ? {} : { reason: holdReason } }
    if (!newReason || holdReason === null) return undefined
    return { faults: [{ code: 'goes-with', with: { other: 'held', wants: 'true' }, at: { pointer: '/holdReason' } }] }
  },
  sets: { reason: 'holdReason' },
  marks: { held: true },
  turn: 'last',
  undo: ({ held, holdReason }) =>
    held ? [{ operation: 'hold', params: { reason: holdReason } }] : [{ operation: 'unhold', params: {} }],
  apply: (_deal, { reason }) => ({ held: true, holdReason: reason }),
})
