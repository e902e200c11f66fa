import { say } from '../../languages/say.ts'
import type { FormField, PickedThing, PickedThings } from '../document.ts'
import { html, type Markup } from '../markup/markup.ts'
import { told } from './phrase.ts'

export type WritesField = (field: FormField, id: string) => Markup

/**
 * A field that refers to a thing. With script it suggests while the user types; without, the user types words, and the
 * form comes back with the matches. A new thing can be created in the same form.
 */
export function picker(field: FormField, picks: PickedThings, id: string, write: WritesField): Markup {
  const { creation, found } = picks
  const isMade = creation?.some(({ value, fault }) => value !== undefined || fault !== undefined) ?? false
  return html`<div class="picker">
${found !== undefined && found.things.length > 0 && !isMade ? choices(field, picks, found, id) : search(field, picks, id, isMade)}${
  creation &&
  html`<details class="making"${isMade && html` open`}><summary>${say(`New ${picks.noun}`)}</summary>
<div>${creation.map((each, at) => write(each, `${id}-new-${at + 1}`))}</div></details>
`
}</div>
`
}

function search(field: FormField, { noun, suggest, chosen, found }: PickedThings, id: string, isMade: boolean): Markup {
  const nothing =
    found?.things.length === 0 && !isMade && say(`No ${noun} matches “{text}”.`, { text: field.value ?? '' })
  const fault = nothing || (field.fault && told(field.fault))
  const note =
    field.note !== undefined && fault === undefined && html` <span class="note" id="${id}-note">${field.note}</span>`
  const describedBy = `${id}-chosen${(fault ?? field.note) === undefined ? '' : ` ${id}-note`}`
  return html`<div class="field"><label for="${id}"${field.required === true && html` data-required`}>${field.label}</label> <input id="${id}" name="${field.name}" type="text" placeholder="${say('Search by name …')}"${
    field.value !== undefined && html` value="${field.value}"`
  } data-suggest="${suggest}"${chosen && html` data-chosen="${chosen.text}"`}${field.required && html` required`}${field.isFirst && html` autofocus`}${
    fault !== undefined && html` aria-invalid="true"`
  } aria-describedby="${describedBy}"> <span class="quiet" id="${id}-chosen">${chosen && described(chosen)}</span>${
    fault === undefined ? note : html` <span class="fault" id="${id}-note">${fault}</span>`
  }</div>
`
}

/** The name is shown in the field if there is script, and after the number otherwise. */
const described = ({ text, detail, number }: PickedThing): Markup =>
  html`<b>${text}</b> ${[detail, number].filter(Boolean).join(' · ')}`

function choices(
  field: FormField,
  { noun }: PickedThings,
  { things, hasMore }: NonNullable<PickedThings['found']>,
  id: string,
): Markup {
  const text = field.value ?? ''
  return html`<fieldset class="field found"><legend>${field.label}</legend>
<p class="fault" id="${id}-note">${hasMore ? say('Many match “{text}”: choose one, or look again with more words.', { text }) : say('Choose who or what is meant by “{text}”.', { text })}</p>
${things.map(
  (thing) =>
    html`<label><input type="radio" name="${field.name}" value="${thing.value}"${things.length === 1 && html` checked`} aria-describedby="${id}-note"> <span>${described(thing)}</span></label>\n`,
)}<label class="again" for="${id}">${say(`Look for another ${noun}`)}</label> <input id="${id}" name="_${field.name}.find" type="text">
</fieldset>
`
}
