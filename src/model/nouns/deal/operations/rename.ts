import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { open } from '../rules.ts'

export const rename = defineOperation({
  on: deal,
  name: 'rename',
  title: 'Rename',
  words: { participles: ['renamed'], noun: 'renamings', action: 'RenameDeal', event: 'deal.renamed' },
  group: 'Notes and people',
  sentence: ({ newName }) => ({ done: 'renamed it to “{name}”', with: { name: String(newName) } }),
  params: ({ kinds }) => ({ newName: required(kinds.name) }),
  examples: [{ newName: 'Fifty espresso machines' }],
  allowed: [open],
  changes: ['name'],
  fromAttributes: (deal, { name = deal.name }) => (name === deal.name ? undefined : { params: { newName: name } }),
  sets: { newName: 'name' },
  undo: ({ name }) => [{ operation: 'rename', params: { newName: name } }],
  apply: (_deal, { newName }) => ({ name: newName }),
})
