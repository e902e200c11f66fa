import { say } from '../../languages/say.ts'
import type { SavedView } from '../../model/view/view.ts'
import { html } from '../../representations/html/markup.ts'
import { thingScreen } from '../thing/thing-screen.ts'

export const viewScreen = thingScreen<SavedView>({
  beside: ({ id }, { resource, addresses }) =>
    html`<p><a class="button" href="${addresses.thing(resource, id)}/items">${say('Show all')}</a></p>\n`,
})
