import { say } from '../../languages/say.ts'
import type { SavedView } from '../../model/nouns/view/view.ts'
import { label } from '../../representations/html/label.ts'
import { escapeHtml } from '../../representations/markup/markup.ts'
import { listScreen } from '../list/list-screen.ts'
import { brokenMark, queryWords } from './query-words.ts'

/** The saved views: what each shows, in words. A list saves its own. */
export const viewList = listScreen<SavedView>({
  columns: ['collection', 'query', 'shared', 'owner'],
  narrow: ['collection', 'query'],
  heads: { collection: say('List'), query: say('Filters') },
  cells: {
    collection: ({ collection }, { reader }) => escapeHtml(say(label(collection))(reader)),
    query: (view, { resource, reader }) => {
      const broken = brokenMark(view, resource.schema)?.for(reader)
      return `${broken === undefined ? '' : `${broken} `}${escapeHtml(queryWords(view, resource.schema)(reader))}`
    },
  },
  filters: ['shared'],
  about: () => say('A list saves its filters, order and columns with “Save as a view”.'),
  isMadeElsewhere: true,
})
