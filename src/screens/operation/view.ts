import { say } from '../../languages/say.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { type PageHead, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { type EveryForm, everyForm } from '../reference/every-form.ts'
import { isOffered, type OperationOffer, offerForm } from '../thing/offers.ts'

export interface OperationPage extends Pick<PageHead, 'crumbs' | 'marks' | 'watch'> {
  readonly offer: OperationOffer
  /** All operations on the thing, this one included, each with the address of its page. */
  readonly others: readonly { readonly offer: OperationOffer; readonly href: string }[]
  /** The same request in every form. */
  readonly everyForm: EveryForm | undefined
}

/** One operation on a thing: its form, and the same request in every other form. */
export function operationPage({ offer, others, everyForm: samples, ...head }: OperationPage): Markup {
  const links = others.map(({ offer: other, href }) => {
    const isThis = other.operation === offer.operation && html` aria-current="page"`
    const isWithheld = !isOffered(other) && html` class="withheld"`
    return html`<li><a href="${href}"${isThis}${isWithheld}>${say(other.operation.title)}</a></li>`
  })
  const form = isOffered(offer)
    ? offerForm(offer, 'op')
    : html`<p class="empty">${phrase('Not possible now: {why}.', { why: told(offer.whyNot) })}</p>`
  return html`${pageHead({ ...head, title: say(offer.operation.title) })}
<nav aria-label="${say('Operations')}"><ul class="chips">${links}</ul></nav>
${panel('do', say('With a form'), form)}${samples && everyForm(samples)}`
}
