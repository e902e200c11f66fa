import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'

/** Says why a form was refused. */
export const refusedNotice = (
  { title, detail }: { readonly title: string; readonly detail: string },
  more?: Hole,
): Markup => html`<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${told(title)}</h2><p>${phrase('Nothing was changed: {why}', { why: told(detail) })}</p>${more}</section>
`
