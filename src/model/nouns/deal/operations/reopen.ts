import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { IMPORT, reason } from '../params.ts'
import { finished, notArchived } from '../rules.ts'

export const reopen = defineOperation({
  on: deal,
  name: 'reopen',
  title: 'Reopen',
  words: { participles: ['reopened'], noun: 'reopenings', action: 'ReopenDeal', event: 'deal.reopened' },
  group: 'Progress',
  sentence: ({ reason }) => ({ done: 'reopened it', said: String(reason) }),
  params: () => ({ reason: required(reason) }),
  examples: [{ reason: 'customer came back' }],
  allowed: [finished, notArchived],
  changes: ['status'],
  fromRow: (deal, { status = deal.status }) =>
    status === 'open' && deal.status !== status ? { params: { reason: IMPORT } } : undefined,
  turn: 'first',
  undo: ({ status, completedOn, acceptedBy, closingReason }) =>
    status === 'completed'
      ? [{ operation: 'complete', params: { completedOn, ...(acceptedBy !== null && { acceptedBy }) } }]
      : [{ operation: 'cancel', params: { reason: closingReason } }],
  apply: () => ({ status: 'open' as const, completedOn: null, acceptedBy: null, closingReason: null }),
})
