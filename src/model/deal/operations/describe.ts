import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { notArchived } from '../conditions.ts'
import { dealFields } from '../deal.ts'

export const describe = defineOperation({
  name: 'describe',
  title: 'Describe',
  words: { participles: ['described'], noun: 'descriptions', action: 'DescribeDeal', event: 'deal.described' },
  params: { description: required(dealFields.description) },
  examples: [{ description: 'Two groups each, delivery in spring.' }],
  allowed: [notArchived],
  changes: ['description'],
  fromAttributes: (deal, { description = deal.description }) =>
    description === deal.description ? undefined : { params: { description } },
  sets: { description: 'description' },
  apply: (_deal, { description }) => ({ description }),
})
