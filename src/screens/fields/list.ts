import { say } from '../../languages/say.ts'
import type { OwnField } from '../../model/nouns/field/field.ts'
import { listScreen } from '../list/list-screen.ts'
import { mark } from '../parts/marks.ts'
import { optionWords } from './option-words.ts'

export const fieldList = listScreen<OwnField>({
  columns: ['on', 'kind', 'options', 'required', 'unique'],
  narrow: ['on', 'kind'],
  cells: { options: (field, { reader }) => optionWords(field).for(reader) },
  filters: ['on', 'kind', 'required', 'unique'],
  tabs: () => [
    { name: say('In use|fields'), query: 'retiredAt.null=true' },
    { name: say('Retired|fields'), query: 'retiredAt.null=false' },
    { name: say('All|fields'), query: '' },
  ],
  about: () => say('Fields that deals, customers and tasks have in addition to the usual ones.'),
  marks: async () => (field) => {
    if (field.retiredAt !== null) return mark('off', say('Retired|field'))
    if (field.state === 'ready') return undefined
    return field.state === 'failed' ? mark('late', say('Failed')) : mark('held', say('Building'))
  },
})
