import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { notHeld, open } from '../conditions.ts'
import { dealFields } from '../deal.ts'

export const move = defineOperation({
  name: 'move',
  title: 'Move to a stage',
  words: { participles: ['moved'], noun: 'moves', action: 'MoveDeal', event: 'deal.moved' },
  params: { stage: required(dealFields.stage) },
  examples: [{ stage: 'proposal' }],
  allowed: [open, notHeld],
  changes: ['stage'],
  fromAttributes: (deal, { stage = deal.stage }) => (stage === deal.stage ? undefined : { params: { stage } }),
  sets: { stage: 'stage' },
  apply: (_deal, { stage }) => ({ stage }),
})
