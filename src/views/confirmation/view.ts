import { say } from '../../languages/say.ts'
import type { Operation } from '../../model/operation.ts'
import { html } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/store.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { thingForm } from '../page-forms/operation-form.ts'
import type { View, Visit } from '../parts/visit.ts'

/** The question before an operation that is final. */
export function showConfirmation(operation: Operation, stored: Stored, { service }: Visit): View {
  const { addresses } = service
  const shown = readDocument(stored.json) as DataObject
  const form = thingForm(operation, stored, shown, addresses)
  const name = String(shown.name ?? shown.title ?? shown.currency ?? stored.id)
  const href = addresses.thing(operation.on, stored.id)
  return () => html`<header class="head"><div><h1>${phrase('{action}: {name}?', { action: say(operation.title), name })}</h1></div></header>
<section class="panel" aria-label="${say('The question')}"><p>${say('This is final. It cannot be undone.')}</p>
${framedForm({ ...form, submit: say('Yes, delete it') }, 'sure-form')}
<p><a href="${href}">${say('No, keep it')}</a></p></section>
`
}
