import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { refusedNotice } from '../forms/refused-notice.ts'
import { details } from '../parts/panel.ts'
import type { ShownEntry } from '../parts/shown.ts'
import { type TimelineSubject, timeline } from '../parts/timeline.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'
import { type Offered, type OperationOffer, offerForm } from './offers.ts'

/** A refused form: why, and its values. */
export interface Refused extends ExplainedRefusal {
  /** The events since the form was shown, latest first. */
  readonly since: readonly ShownEntry[]
  /** The form as sent, if it is not that of a change, which is shown elsewhere. */
  readonly offer: OperationOffer | undefined
  /** The fields to set first. */
  readonly missing?: Missing
  /** The values of a form that cannot be sent again. */
  readonly sent: readonly (readonly [label: string, value: string])[]
  /** Whether the form of the change is shown again. */
  readonly isChange: boolean
}

/** The fields that a stage requires and that are empty. */
export interface Missing {
  /** The operations that set those of the thing. */
  readonly offers: readonly Offered[]
  /** The things that have the others. */
  readonly elsewhere: readonly { readonly href: string; readonly text: string; readonly fields: Text }[]
}

export function refusedMarkup(refused: Refused, subject: TimelineSubject, addresses: Addresses): Markup {
  const { since, offer, sent, isChange, missing } = refused
  const withheld = offer !== undefined && 'whyNot' in offer ? offer : undefined
  const why =
    withheld === undefined
      ? whyMarkup(refused)
      : phrase('{operation} is not possible now: {why}.', {
          operation: say(withheld.operation.title),
          why: told(withheld.whyNot),
        })
  const meanwhile = html`<h3>${say('What happened in the meantime')}</h3>\n${timeline(since, subject, addresses)}`
  const entered = html`<p>${say('You had entered:')}</p>\n${details(sent.map(([name, value]) => [say(name), value]))}\n`
  const below = html`<p>${say('Your input is below, next to the current values.')}</p>\n`
  const again = againMarkup(offer)
  const both = again && since.length > 0
  const more = [
    isChange && below,
    missing && missingMarkup(missing),
    both
      ? html`<div class="columns"><div>${again}</div>\n<div>${meanwhile}</div></div>\n`
      : [since.length > 0 && meanwhile, again],
    withheld !== undefined && sent.length > 0 && entered,
  ]
  return refusedNotice(refused, more, why)
}

function missingMarkup({ offers, elsewhere }: Missing): Markup {
  const forms = offers.map((offer) => offerForm(offer, `missing-${offer.operation.name}`))
  const links = elsewhere.map(({ href, text, fields }) => {
    const about = html`<a href="${href}">${text}</a>`
    return html`<p>${phrase('{about}: {what}', { about, what: html`${fields}` })}</p>\n`
  })
  return html`<h3 id="missing">${say('What is missing')}</h3>\n${forms}${links}`
}

const againMarkup = (offer: OperationOffer | undefined): Markup | undefined =>
  offer !== undefined && 'form' in offer
    ? html`<h3>${say(offer.operation.title)}</h3>\n${offerForm(offer, 'again', { again: true })}`
    : undefined
