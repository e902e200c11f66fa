import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { definitionsMarkup } from '../../representations/html/value.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/desk.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { View, Visit } from '../parts/visit.ts'

/** A thing as it was: read-only, and it says so. */
export function showPast(resource: Resource, thing: Stored, present: Stored, { service }: Visit): View {
  const { addresses } = service
  const { name, plural, path } = resource
  const now = addresses.thing(resource, thing.id)
  const then = readDocument(thing.json) as DataObject
  return () => {
    const title = typeof then.name === 'string' ? then.name : joined([say(label(name)), String(thing.id)], ' ')
    return html`<header class="head"><div><p class="crumbs"><a href="${addresses.base}${path}">${say(label(plural))}</a> / <a href="${now}">${title}</a> / <a href="${now}/history">${say('History')}</a></p>
<h1>${title}</h1>
<p class="notice">${phrase(
      'This is the past: revision {revision} of {last}, from {when} on. Nothing can be changed here.',
      {
        revision: thing.revision,
        last: present.revision,
        when: instantMarkup(thing.updatedAt),
      },
    )} <a href="${now}" rel="latest-version">${say('See it as it is now')}</a></p></div></header>
<section class="panel" aria-label="${say('As it was')}">${definitionsMarkup(then)}</section>
`
  }
}
