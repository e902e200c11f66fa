import { say } from '../../languages/say.ts'
import type { SavedView } from '../../model/view/view.ts'
import { label } from '../../representations/html/label.ts'
import { html } from '../../representations/html/markup.ts'
import { thingScreen } from '../thing/thing-screen.ts'
import { listOf, queryWords } from './query-words.ts'

export const viewScreen = thingScreen<SavedView>({
  beside: (view, { resource, addresses }) => {
    const list = listOf(view, resource.schema)
    const href = list === undefined ? `${addresses.thing(resource, view.id)}/items` : addresses.base + list
    return html`<p><a class="button" href="${href}">${say('Show all')}</a></p>\n`
  },
  fields: ['collection', 'query', 'shared', 'owner'],
  elsewhere: ['name'],
  texts: { collection: say('List'), query: say('Filters') },
  facts: {
    collection: ({ collection }) => say(label(collection)),
    query: (view, { resource }) => queryWords(view, resource.schema),
  },
  // The list itself changes the rest.
  editing: (fields) => fields.filter(({ name }) => name === 'name' || name === 'shared'),
})
