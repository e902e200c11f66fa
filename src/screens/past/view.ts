import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html } from '../../representations/markup/markup.ts'
import type { Stored } from '../../store/port/desk.ts'
import { chosenIn, readReferred } from '../forms/read-picked.ts'
import { fieldText } from '../list/columns.ts'
import { instantMarkup } from '../parts/moment.ts'
import { nameOf } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { details } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import { readThing } from '../parts/shown.ts'
import { shownFields, valueMarkup } from '../thing/facts.ts'

/** A thing in a past state: read-only, and marked as such. */
export async function showPast(resource: Resource, thing: Stored, present: Stored, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const { plural, path } = resource
  const now = addresses.thing(resource, thing.id)
  const then = readThing(thing.json)
  const referred = chosenIn(await readReferred(resource, then, call.desk))
  const title = nameOf(resource, then)
  const about = phrase(
    'This is the past: revision {revision} of {last}, from {when} on. Nothing can be changed here.',
    {
      revision: thing.revision,
      last: present.revision,
      when: instantMarkup(thing.updatedAt),
    },
  )
  const list = crumb(addresses.base + path, say(label(plural)))
  const fields = [...shownFields(resource), 'createdAt', 'updatedAt']
  return () => {
    const head = pageHead({
      crumbs: [list, ' / ', crumb(now, title), ' / ', crumb(`${now}/history`, say('History'))],
      title,
      below: html`<p class="notice">${about}
<a href="${now}" rel="latest-version">${say('See it as it is now')}</a></p>`,
    })
    const shown = fields.map(
      (field) => [fieldText(resource, field), valueMarkup(field, then, { resource, referred, addresses })] as const,
    )
    return html`${head}<section class="panel" aria-label="${say('As it was')}">${details(shown)}</section>
`
  }
}
