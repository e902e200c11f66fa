import { phrase, told } from '../../representations/html/phrase.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'

/** Says why a form was refused, and what comes of it. */
export const refusedNotice = (refused: ExplainedRefusal, more?: Hole, why: Hole = whyMarkup(refused)): Markup => {
  const nothing = html`<p>${refused.isWhole ? why : phrase('Nothing was changed: {why}', { why })}</p>`
  const title = html`<h2 id="refused">${told(refused.title)}</h2>`
  return html`<section class="refused panel" role="alert" aria-labelledby="refused">${title}${nothing}${more}</section>
`
}
