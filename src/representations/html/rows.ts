import { say } from '../../languages/say.ts'
import type { FormField, FormRow } from '../document.ts'
import { html, type Markup } from './markup.ts'
import { told } from './phrase.ts'
import type { WritesField } from './picker.ts'

/** A list in a form: a group of fields for each entry, whose buttons save it in another order. */
export function rowsMarkup(field: FormField, rows: readonly FormRow[], id: string, write: WritesField): Markup {
  const { label, fault, note } = field
  const beside = fault === undefined ? note : told(fault)
  const kind = fault === undefined ? 'note' : 'fault'
  return html`<fieldset class="field rows"><legend>${label}</legend>${
    beside !== undefined && html`<p class="${kind}" id="${id}-note">${beside}</p>`
  }
<ol>${rows.map((row, at) => rowMarkup(row, `${id}-${at + 1}`, write))}</ol></fieldset>
`
}

function rowMarkup(row: FormRow, id: string, write: WritesField): Markup {
  const { text = say('new|entry'), fields, hasBefore, hasBehind } = row
  const content = fields.map((field, at) => write(field, `${id}-${at + 1}`))
  const buttons = [hasBefore && moveButton(row, '_up'), hasBehind && moveButton(row, '_down')]
  return html`<li><fieldset><legend>${text}</legend>${content}</fieldset><span class="moves">${buttons}</span></li>
`
}

function moveButton({ name, text = '' }: FormRow, direction: '_up' | '_down'): Markup {
  const label =
    direction === '_up' ? say('Move {entry} up', { entry: text }) : say('Move {entry} down', { entry: text })
  const sent = html`name="${direction}" value="${name}"`
  return html`<button type="submit" class="plain ${direction.slice(1)}" ${sent} aria-label="${label}"></button>`
}

/** The first button of a form is pressed by the Enter key: it must not be one that moves an entry. */
export const defaultButton = html`<button type="submit" class="unseen" tabindex="-1" aria-hidden="true"></button>`
