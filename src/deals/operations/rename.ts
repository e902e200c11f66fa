import { required } from '../../values/members.ts'
import { open } from '../condition.ts'
import { dealFields } from '../deal.ts'
import { defineOperation } from '../operation.ts'

export const rename = defineOperation({
  name: 'rename',
  title: 'Rename',
  words: { participles: ['renamed'], noun: 'renamings', action: 'RenameDeal', event: 'deal.renamed' },
  params: { newName: required(dealFields.name) },
  examples: [{ newName: 'Fifty espresso machines' }],
  allowed: [open],
  changes: ['name'],
  fromAttributes: (deal, { name = deal.name }) => (name === deal.name ? undefined : { params: { newName: name } }),
  sets: { newName: 'name' },
  apply: (_deal, { newName }) => ({ name: newName }),
})
