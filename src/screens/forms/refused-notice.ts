import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'

/** Says why a form was refused. */
export const refusedNotice = (refused: ExplainedRefusal, more?: Hole): Markup =>
  html`<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${told(refused.title)}</h2><p>${phrase('Nothing was changed: {why}', { why: whyMarkup(refused) })}</p>${more}</section>
`
