import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { definitionsMarkup } from '../../representations/html/value.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/desk.ts'
import { instantMarkup } from '../parts/moment.ts'
import { nameOf } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'

/** A thing in a past state: read-only, and marked as such. */
export function showPast(resource: Resource, thing: Stored, present: Stored, { service }: Call): Screen {
  const { addresses } = service
  const { plural, path } = resource
  const now = addresses.thing(resource, thing.id)
  const then = readDocument(thing.json) as DataObject
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
  return () => {
    const head = pageHead({
      crumbs: [list, ' / ', crumb(now, title), ' / ', crumb(`${now}/history`, say('History'))],
      title,
      below: html`<p class="notice">${about}
<a href="${now}" rel="latest-version">${say('See it as it is now')}</a></p>`,
    })
    return html`${head}<section class="panel" aria-label="${say('As it was')}">${definitionsMarkup(then)}</section>
`
  }
}
