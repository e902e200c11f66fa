import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** A form that opens with a button; `text` is the button's, `more` follows the fields. */
export function foldedForm(form: DocumentForm, text: Text, more?: Markup): Markup {
  return html`<details class="folded" id="new">
<summary class="button" data-icon="new" data-key="n">${text}</summary>
${framedForm(form, 'new-form', more === undefined ? {} : { more })}</details>
`
}

/** The button that confirms a dangerous operation: "Delete this deal". */
export const sureText = ({ title, on }: Operation): Text => say(`${title} this ${on.name}`)

/** A button that leads to the page for a new thing. */
export const newLink = (href: string, text: Text): Markup =>
  html`<p><a class="button" href="${href}" data-icon="new" data-key="n">${text}</a></p>
`

interface Framed {
  /** It needs a confirmation; with script. */
  readonly danger?: boolean
  /** The button that confirms it. */
  readonly sure?: Text
  /** The page that asks for it without script. */
  readonly confirm?: string
  /** It returns to its own page, whose live parts the script updates. */
  readonly here?: boolean
  /** It is not the main action of the page. */
  readonly plain?: boolean
  /** What follows its fields. */
  readonly more?: Markup
}

/** A form with its button. */
export function framedForm(
  form: DocumentForm,
  id: string,
  { confirm, sure, danger = confirm !== undefined, here = false, plain = false, more }: Framed = {},
): Markup {
  const question = danger && html` data-confirm="${sure ?? say('Yes: {action}', { action: form.submit })}"`
  const kind = danger ? html` class="danger"` : plain && html` class="plain"`
  const asking = confirm !== undefined && html` formmethod="get" formaction="${confirm}"`
  const sent = html`method="${form.method}" action="${form.action}"${here && html` data-here`}`
  return html`<form ${sent} id="${id}" class="framed" aria-label="${form.title}"${question}>
${contentMarkup(form, id)}${more}
<p class="send"><button type="submit"${kind}${asking}>${form.submit}</button></p>
</form>
`
}
