import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { pageHead } from '../parts/page-head.ts'

/** A page with one form, for people who are not signed in. */
export interface DoorPage {
  readonly title: Text
  readonly lead?: Text
  /** The fault of the sent form. */
  readonly fault?: Text
  readonly action: string
  readonly submit: Text
  readonly fields: readonly DoorField[]
  readonly hidden: { readonly [name: string]: string | undefined }
  /** Another way to sign in; if it `sends`, the fields are sent there too. */
  readonly other?: WayIn & { readonly sends: boolean }
}

interface WayIn {
  readonly href: string
  readonly text: Text
}

export interface DoorField {
  readonly name: string
  readonly label: Text
  readonly type: 'text' | 'password'
  readonly autocomplete: string
  readonly value?: string
  readonly note?: Text
  readonly minLength?: number
}

export function doorPage({ title, lead, fault, action, submit, fields, hidden, other }: DoorPage): Markup {
  const first = fields.findIndex(({ value }) => value === undefined)
  return html`${pageHead({ title })}<section class="panel door" aria-label="${title}">
${lead !== undefined && html`<p>${lead}</p>\n`}${
  fault !== undefined && html`<p class="notice" role="alert">${fault}</p>\n`
}<form method="post" action="${action}">
${Object.entries(hidden).map(
  ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">\n`,
)}${fields.map((field, at) => fieldMarkup(field, at === first))}<p><button type="submit">${submit}</button></p>
${other?.sends && sendingTo(other)}</form>
${other && !other.sends && wayTo(other)}</section>
`
}

export const wayOutPage = (title: Text, lead: Text, way: WayIn, more?: Text): Markup =>
  html`${pageHead({ title })}<section class="panel door" aria-label="${title}">
<p>${lead}</p>
${more !== undefined && html`<p>${more}</p>\n`}${wayTo(way)}</section>
`

const sendingTo = ({ href, text }: WayIn): Markup =>
  html`<p><button type="submit" formaction="${href}" formnovalidate>${text}</button></p>\n`

const wayTo = ({ href, text }: WayIn): Markup => html`<p><a class="button" href="${href}">${text}</a></p>\n`

function fieldMarkup({ name, label, type, autocomplete, value, note, minLength }: DoorField, isFirst: boolean): Markup {
  const id = `door-${name}`
  const given = value !== undefined && html` value="${value}"`
  const least = minLength !== undefined && html` minlength="${minLength}"`
  const described = note !== undefined && html` aria-describedby="${id}-note"`
  const first = isFirst && html` autofocus`
  const kind = html`type="${type}" autocomplete="${autocomplete}"`
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${kind}${given}${least} maxlength="200" required${first}${described}>${
    note !== undefined && html` <span class="note" id="${id}-note">${note}</span>`
  }</p>
`
}
