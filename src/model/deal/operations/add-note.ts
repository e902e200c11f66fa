import { required } from '../../../values/members.ts'
import { text } from '../../../values/text.ts'
import { defineOperation } from '../../operation.ts'

export const addNote = defineOperation({
  name: 'add-note',
  title: 'Add a note',
  words: { participles: ['note-added'], noun: 'notes', action: 'AddDealNote', event: 'deal.note-added' },
  params: { text: required(text({ min: 1, max: 5000 })) },
  examples: [{ text: 'Called, will call back on Monday.' }],
  allowed: [],
  changes: [],
  apply: () => ({}),
})
