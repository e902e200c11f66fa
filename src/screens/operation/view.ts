import { say } from '../../languages/say.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { choices, type PageHead, pageHead } from '../parts/page-head.ts'
import { type EveryForm, everyForm } from '../reference/every-form.ts'
import { isOffered, type OperationOffer, offerForm } from '../thing/offers.ts'

export interface OperationPage extends Pick<PageHead, 'crumbs' | 'marks' | 'watch'> {
  readonly offer: OperationOffer
  /** All operations on the thing, this one included, each with the address of its page. */
  readonly others: readonly { readonly offer: OperationOffer; readonly href: string }[]
  /** The same request in every form. */
  readonly everyForm: EveryForm | undefined
}

/** One operation on a thing: its form, and for developers the same request in every other form. */
export function operationPage({ offer, others, everyForm: samples, ...head }: OperationPage): Markup {
  const operations = others.map(({ offer: other, href }) => ({
    href,
    text: say(other.operation.title),
    isCurrent: other.operation === offer.operation,
    kind: isOffered(other) ? undefined : 'withheld',
  }))
  const form = isOffered(offer)
    ? offerForm(offer, 'op')
    : html`<p class="empty">${phrase('Not possible now: {why}.', { why: told(offer.whyNot) })}</p>`
  const title = say(offer.operation.title)
  return html`${pageHead({ ...head, title })}
${forDevelopers(choices(say('Operations'), 'tabs', operations, 'page'))}<section class="panel" id="do" aria-label="${title}">
${form}</section>
${samples && forDevelopers(everyForm(samples))}`
}
