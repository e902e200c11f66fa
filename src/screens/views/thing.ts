import { say } from '../../languages/say.ts'
import type { SavedView } from '../../model/nouns/view/view.ts'
import { label } from '../../representations/html/label.ts'
import { html } from '../../representations/markup/markup.ts'
import { thingScreen } from '../thing/thing-screen.ts'
import { brokenMark, listOf, queryWords } from './query-words.ts'

export const viewScreen = thingScreen<SavedView>({
  beside: (view, { resource, addresses }) => {
    // The address of its items tells what its list no longer understands.
    const list = brokenMark(view, resource.schema) === undefined ? listOf(view, resource.schema) : undefined
    const href = list === undefined ? `${addresses.thing(resource, view.id)}/items` : addresses.base + list
    return html`<p><a class="button" href="${href}">${say('Show all')}</a></p>\n`
  },
  fields: ['collection', 'query', 'shared', 'owner'],
  elsewhere: ['name'],
  texts: { collection: say('List'), query: say('Filters') },
  facts: {
    collection: ({ collection }) => say(label(collection)),
    query: (view, { resource }) => {
      const words = queryWords(view, resource.schema)
      const broken = brokenMark(view, resource.schema)
      return broken === undefined ? words : html`${broken} ${words}`
    },
  },
  // The list itself changes the rest.
  editing: (fields) => fields.filter(({ name }) => name === 'name' || name === 'shared'),
})
