import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { open } from '../rules.ts'

export const assign = defineOperation({
  on: deal,
  name: 'assign',
  title: 'Assign',
  words: { participles: ['assigned'], noun: 'assignments', action: 'AssignDeal', event: 'deal.assigned' },
  group: 'Notes and people',
  sentence: ({ owner }, say) =>
    owner === null
      ? { done: 'removed the owner' }
      : { done: 'assigned it to {person}', with: { person: say.person(owner) } },
  params: ({ kinds }) => ({ owner: required(kinds.owner) }),
  examples: [{ owner: 'Mila Sanz' }, { owner: null }],
  allowed: [open],
  changes: ['owner'],
  fromAttributes: (deal, { owner = deal.owner }) => (owner === deal.owner ? undefined : { params: { owner } }),
  sets: { owner: 'owner' },
  undo: ({ owner }) => [{ operation: 'assign', params: { owner } }],
  apply: (_deal, { owner }) => ({ owner }),
})
