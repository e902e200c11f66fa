import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { details } from '../parts/details.ts'
import type { ShownDeal, ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import type { Addresses } from '../parts/visit.ts'
import { type ExplainedRefusal, whyMarkup } from '../problem/why.ts'
import { type OperationOffer, offerForm } from './offers.ts'

/** A refused form: why, and what was filled in. */
export interface Refused extends ExplainedRefusal {
  /** What happened since the form was shown, latest first. */
  readonly since: readonly ShownEntry[]
  /** The form as it was sent. */
  readonly offer: OperationOffer | undefined
  /** What was filled in, for a form that cannot be sent again. */
  readonly sent: readonly (readonly [label: string, value: string])[]
}

/** The deal on which it was tried. */
interface RefusedOn {
  readonly resource: Resource
  readonly deal: ShownDeal
  readonly addresses: Addresses
}

export function refusedMarkup(refused: Refused, { resource, deal, addresses }: RefusedOn): Markup {
  const { title, since, offer, sent } = refused
  const withheld = offer !== undefined && 'whyNot' in offer ? offer : undefined
  const why =
    withheld === undefined
      ? whyMarkup(refused)
      : phrase('{operation} is not possible now: {why}.', {
          operation: say(withheld.operation.title),
          why: told(withheld.whyNot),
        })
  return html`<section class="refused panel" aria-labelledby="refused" role="alert">
<h2 id="refused">${told(title)}</h2>
<p>${phrase('Nothing was changed: {why}', { why })}</p>
${since.length > 0 && html`<h3>${say('What happened in the meantime')}</h3>\n${timeline(since, { ...deal, resource }, addresses)}`}${
  offer !== undefined &&
  'form' in offer &&
  html`<h3>${say(offer.operation.title)}</h3>\n${offerForm(offer, 'again', { again: true })}`
}${
  withheld !== undefined &&
  sent.length > 0 &&
  html`<p>${say('You had entered:')}</p>\n${details(sent.map(([name, value]) => [say(name), value]))}\n`
}</section>
`
}
