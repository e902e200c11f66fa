import { say } from '../../languages/say.ts'
import { joined, type Text } from '../../languages/text.ts'
import type { FormField, FormRow } from '../document.ts'
import { html, type Markup } from '../markup/markup.ts'
import { told } from './phrase.ts'
import type { WritesField } from './picker.ts'

/** A list in a form: a group of fields for each entry, whose buttons save it in another order; with script it is drawn there. */
export function rowsMarkup(field: FormField, rows: readonly FormRow[], id: string, write: WritesField): Markup {
  const { label, fault, note } = field
  const written = rows.map((row, at) => rowMarkup(row, `${id}-${at + 1}`, write))
  // Empty rows come with a button, unless there are no others or one of them is filled in.
  const named = rows.filter(({ text }) => text !== undefined).length
  const isBegun = rows.slice(named).some(({ fields }) => fields.some(({ value, fault }) => value || fault))
  const known = named === 0 || isBegun ? rows.length : named
  const further =
    known < rows.length &&
    html`<details class="more"><summary>${say('Add|verb')}</summary><ol>${written.slice(known)}</ol></details>`
  const beside = fault === undefined ? note : told(fault)
  const kind = fault === undefined ? 'note' : 'fault'
  return html`<fieldset class="field rows"><legend>${label}</legend>${
    beside !== undefined && html`<p class="${kind}" id="${id}-note">${beside}</p>`
  }
<ol>${written.slice(0, known)}</ol>${further}</fieldset>
`
}

function rowMarkup(row: FormRow, id: string, write: WritesField): Markup {
  const { text = say('new|entry'), fields } = row
  const content = [...Map.groupBy(fields, ({ fold }) => fold)].map(([fold, those]) => {
    const written = those.map((field) => write(field, `${id}-${fields.indexOf(field) + 1}`))
    return fold === undefined ? written : foldMarkup(fold, those, written)
  })
  const buttons = row.text !== undefined && [moveButton(row, '_up'), moveButton(row, '_down')]
  const handle = buttons && html`<span class="handle" aria-hidden="true"></span>`
  return html`<li>${handle}<fieldset><legend>${text}</legend>${content}</fieldset><span class="moves">${buttons}</span></li>
`
}

/** Its button names the texts that are in it. What is wrong or chosen in it is seen at once. */
function foldMarkup(fold: Text, fields: readonly FormField[], written: readonly Markup[]): Markup {
  const isOpen = fields.some(({ fault, choices, value = '' }) => fault !== undefined || (choices && value !== ''))
  const texts = fields.flatMap(({ choices, value = '' }) => (choices || value === '' ? [] : [value]))
  const inside = texts.length > 0 && html` <span class="quiet" translate="no">${joined(texts, ', ')}</span>`
  return html`<details class="fold"${isOpen && html` open`}><summary>${fold}${inside}</summary>
<div>${written}</div></details>
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
