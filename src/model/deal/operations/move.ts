import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { deal } from '../deal.ts'
import { notHeld, open } from '../rules.ts'

export const move = defineOperation({
  on: deal,
  name: 'move',
  title: 'Move to a stage',
  words: { participles: ['moved'], noun: 'moves', action: 'MoveDeal', event: 'deal.moved' },
  group: 'Progress',
  rank: 1,
  sentence: ({ stage }, say) => ({ done: 'moved it to {stage}', with: { stage: say.choice(stage) } }),
  params: ({ kinds }) => ({ stage: required(kinds.stage) }),
  examples: [{ stage: 'proposal' }],
  allowed: [open, notHeld],
  changes: ['stage'],
  fromAttributes: (deal, { stage = deal.stage }) => (stage === deal.stage ? undefined : { params: { stage } }),
  sets: { stage: 'stage' },
  undo: ({ stage }) => [{ operation: 'move', params: { stage } }],
  apply: (_deal, { stage }) => ({ stage }),
})
