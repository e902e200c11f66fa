import { optional } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { deal } from '../deal.ts'
import { notArchived } from '../rules.ts'

export const setFields = defineOperation({
  on: deal,
  name: 'set-fields',
  title: 'Set fields',
  words: {
    participles: ['fields-set'],
    noun: 'field-settings',
    action: 'SetDealFields',
    event: 'deal.fields-set',
  },
  group: 'Notes and people',
  sentence: ({ reference }) => {
    if (reference === undefined) return { done: 'set no field' }
    if (reference === null) return { done: 'removed the reference' }
    return { done: 'set the reference to “{reference}”', with: { reference: String(reference) } }
  },
  params: ({ kinds }) => ({ reference: optional(kinds.reference) }),
  // No text, because an example may be done with any number of deals.
  examples: [{ reference: null }],
  allowed: [notArchived],
  changes: ['reference'],
  fromAttributes: (deal, { reference = deal.reference }) =>
    reference === deal.reference ? undefined : { params: { reference } },
  sets: { reference: 'reference' },
  undo: ({ reference }) => [{ operation: 'set-fields', params: { reference } }],
  apply: (_deal, fields) => fields,
})
