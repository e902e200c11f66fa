import { text } from '../../../values/kinds/text.ts'
import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { deal } from '../deal.ts'

export const addNote = defineOperation({
  on: deal,
  name: 'add-note',
  title: 'Add a note',
  words: { participles: ['note-added'], noun: 'notes', action: 'AddDealNote', event: 'deal.note-added' },
  group: 'Notes and people',
  sentence: ({ text }) => ({ done: 'added a note', said: String(text) }),
  params: () => ({ text: required(text({ min: 1, max: 5000 })) }),
  examples: [{ text: 'Called, will call back on Monday.' }],
  allowed: [],
  changes: [],
  apply: () => ({}),
})
