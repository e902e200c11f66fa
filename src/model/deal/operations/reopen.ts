import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { finished, notArchived } from '../conditions.ts'
import { reason } from '../params.ts'

export const reopen = defineOperation({
  name: 'reopen',
  title: 'Reopen',
  words: { participles: ['reopened'], noun: 'reopenings', action: 'ReopenDeal', event: 'deal.reopened' },
  params: { reason: required(reason) },
  examples: [{ reason: 'customer came back' }],
  allowed: [finished, notArchived],
  changes: ['status'],
  apply: () => ({ status: 'open', completedOn: null, acceptedBy: null, closingReason: null }),
})
