import { say } from '../../languages/say.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { onceFor } from '../../values/memoize.ts'
import { panel } from '../parts/panel.ts'
import { isOffered, type OperationOffer } from './offers.ts'

/** The form for a note, on top of the page of its thing: it is written more often than anything else is done. */
export function notePanel(offers: readonly OperationOffer[]): Markup | undefined {
  const offer = offers.filter(isOffered).find(({ operation }) => operation.lasting)
  if (offer === undefined) return undefined
  const { form } = offer
  const shown: DocumentForm = { ...form, fields: form.fields.map(inBox) }
  const box = html`<form method="post" action="${form.action}" data-here id="note-form" class="framed" aria-labelledby="note-title">
${contentMarkup(shown, 'note-form')}<p class="send"><button type="submit" aria-keyshortcuts="Control+Enter">${form.submit}</button></p>
</form>
`
  return panel('note', form.title, box, { live: 'unless-typing', kind: 'noting' })
}

/** The heading says what the text is, and that the rest may stay as it is goes without saying. */
const inBox = onceFor(({ required: _, ...field }: FormField): FormField => {
  if (field.name === 'text') return { ...field, required: true }
  return field.name === 'happenedAt' ? { ...field, label: say('When, if not now') } : field
})
