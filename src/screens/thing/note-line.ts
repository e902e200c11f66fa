import { say } from '../../languages/say.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { onceFor } from '../../values/memoize.ts'
import { isOffered, type OperationOffer } from './offers.ts'

/** The form for a note, on top of the stream of its thing: it is written more often than anything else is done. */
export function noteLine(offers: readonly OperationOffer[]): Markup | undefined {
  const offer = offers.filter(isOffered).find(({ operation }) => operation.lasting)
  if (offer === undefined) return undefined
  const { form } = offer
  const shown: DocumentForm = { ...form, fields: form.fields.map(inBox) }
  return html`<div id="note" data-live="unless-typing">
<form method="post" action="${form.action}" data-here id="note-form" class="noting" aria-label="${form.title}">
${contentMarkup(shown, 'note-form')}<p class="send"><button type="submit" aria-keyshortcuts="Control+Enter">${form.submit}</button></p>
</form></div>
`
}

/** The heading says what the text is, and that the rest may stay as it is goes without saying. */
const inBox = onceFor(({ required: _, ...field }: FormField): FormField => {
  if (field.name === 'text') return { ...field, required: true, placeholder: say('Add a note') }
  return field.name === 'happenedAt' ? { ...field, label: say('When, if not now') } : field
})
