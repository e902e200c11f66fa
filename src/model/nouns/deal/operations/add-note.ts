import { defineNote } from '../../../declaration/usual-operations.ts'
import { deal } from '../deal.ts'

export const addNote = defineNote(deal, 'Notes and people')
