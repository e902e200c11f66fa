import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { notArchived } from '../rules.ts'

export const describe = defineOperation({
  on: deal,
  name: 'describe',
  title: 'Describe',
  words: { participles: ['described'], noun: 'descriptions', action: 'DescribeDeal', event: 'deal.described' },
  group: 'Notes and people',
  sentence: () => ({ done: 'changed the description' }),
  params: ({ kinds }) => ({ description: required(kinds.description) }),
  examples: [{ description: 'Two groups each, delivery in spring.' }],
  allowed: [notArchived],
  changes: ['description'],
  fromAttributes: (deal, { description = deal.description }) =>
    description === deal.description ? undefined : { params: { description } },
  sets: { description: 'description' },
  undo: ({ description }) => [{ operation: 'describe', params: { description } }],
  apply: (_deal, { description }) => ({ description }),
})
