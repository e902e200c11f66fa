import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { open } from '../conditions.ts'
import { dealFields } from '../deal.ts'

export const assign = defineOperation({
  name: 'assign',
  title: 'Assign',
  words: { participles: ['assigned'], noun: 'assignments', action: 'AssignDeal', event: 'deal.assigned' },
  params: { owner: required(dealFields.owner) },
  examples: [{ owner: 'Mila Sanz' }, { owner: null }],
  allowed: [open],
  changes: ['owner'],
  fromAttributes: (deal, { owner = deal.owner }) => (owner === deal.owner ? undefined : { params: { owner } }),
  sets: { owner: 'owner' },
  apply: (_deal, { owner }) => ({ owner }),
})
