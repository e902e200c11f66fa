import type { DocumentForm } from '../representations/document.ts'
import { html, type Markup } from '../representations/html/markup.ts'
import { framedForm } from './framed-form.ts'

export interface RefusedCreation {
  /** As it was sent, with what is wrong beside each field. */
  readonly form: DocumentForm
  readonly title: string
  readonly detail: string
  /** The list that the new thing would be in. */
  readonly above: { readonly href: string; readonly text: string }
}

/** The form for something new that was sent and refused. */
export function refusedCreation({ form, title, detail, above }: RefusedCreation): Markup {
  return html`<header class="head"><div><p class="crumbs"><a href="${above.href}">${above.text}</a></p><h1>${form.title}</h1></div></header>
<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${title}</h2><p>Nothing was done: ${detail}</p></section>
<section class="panel" aria-label="The form">${framedForm(form, 'new-form')}</section>
`
}
