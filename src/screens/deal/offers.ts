import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import type { Text } from '../../languages/text.ts'
import { valueIn } from '../../model/operation.ts'
import { operationsByGroup, whyNotNow } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { ShownDeal } from '../parts/shown.ts'

/** An operation on a deal: its form when it is allowed now, otherwise the reason why it is not. */
export type OperationOffer = { readonly operation: Operation; readonly everyForm: string } & (
  | { readonly form: DocumentForm }
  | { readonly whyNot: Reason | Told }
)

export type Offered = Extract<OperationOffer, { readonly form: DocumentForm }>
type Withheld = Extract<OperationOffer, { readonly whyNot: Reason | Told }>

export const isOffered = (offer: OperationOffer): offer is Offered => 'form' in offer

/** The reason for callers without the role. */
export const READS_ONLY: Told = 'you may only read'

/** The field that an operation does nothing but set, so that it is changed where it is shown. */
export function fieldChangedBy({ on, sets = {}, marks }: Operation): keyof ShownDeal | undefined {
  const [field, ...others] = Object.values(sets) as (keyof ShownDeal)[]
  return marks === undefined && others.length === 0 && field !== undefined && on.fields[field]?.by === 'client'
    ? field
    : undefined
}

/** What can be done with a deal, besides changes of the fields that its details show. */
export function offersMarkup(offers: readonly OperationOffer[], deal: ShownDeal, now: string): Markup {
  const allowed = offers.filter((offer): offer is Offered => isOffered(offer) && !fieldChangedBy(offer.operation))
  const otherwise = { ...markingsOf(deal), held: false, archived: false }
  const withheld = offers.filter(
    (offer): offer is Withheld =>
      // Whatever else is not possible follows from the state: an open deal is not reopened.
      'whyNot' in offer && (deal.held || deal.archived) && whyNotNow(offer.operation, otherwise, now) === undefined,
  )
  if (offers.every((offer) => 'whyNot' in offer && offer.whyNot === READS_ONLY)) {
    return html`<p class="quiet">${say('You may only read here.')}</p>\n`
  }
  const [first] = offers
  const groups = first === undefined ? [] : operationsByGroup(first.operation.on)
  return html`${groups.map(({ title, operations }) => {
    const inGroup = operations.flatMap((operation) => allowed.filter((offer) => offer.operation === operation))
    // What a deal already has comes last: it is only changed.
    const sorted = [...inGroup.filter((offer) => !isSo(offer, deal)), ...inGroup.filter((offer) => isSo(offer, deal))]
    return (
      sorted.length > 0 &&
      html`<h3>${say(title)}</h3>\n<div class="ops">${sorted.map((offer) => offerMarkup(offer, titleOf(offer.operation, deal)))}</div>\n`
    )
  })}${
    withheld.length > 0 &&
    html`<h3>${say('Not possible now')}</h3>
<ul class="withheld">${withheld.map(
      ({ operation, whyNot }) =>
        html`<li>${phrase('{operation}: {why}', { operation: say(operation.title), why: told(whyNot) })}</li>`,
    )}</ul>
`
  }`
}

/** Conditions only ask whether there is an amercement, so its amount may be inexact. */
export const markingsOf = (deal: ShownDeal) => ({ ...deal, amercement: deal.amercement === 0 ? 0 : 1 })

/** Whether the deal already is what the operation makes it. */
const isSo = ({ operation: { marks = {} } }: Pick<Offered, 'operation'>, deal: ShownDeal): boolean =>
  Object.keys(marks).length > 0 && Object.entries(marks).every(([field, value]) => valueIn(deal, field) === value)

const titleOf = (operation: Operation, deal: ShownDeal): string =>
  operation.again !== undefined && isSo({ operation }, deal) ? operation.again : operation.title

/** The form of an operation behind its title, or behind a shorter one; without fields it is a button. */
export function offerMarkup(offer: Offered, title: string, short?: Text): Markup {
  const { name } = offer.operation
  if (offer.form.fields.length === 0) return offerForm(offer, `op-${name}`)
  const summary =
    short === undefined
      ? html`<summary>${say(title)}</summary>`
      : html`<summary data-short="${short}"><span class="unseen">${say(title)}</span></summary>`
  return html`<details class="op" name="op" id="op-${name}">${summary}
${offerForm({ ...offer, form: { ...offer.form, submit: say(title) } }, `op-${name}-form`)}</details>
`
}

interface Framing {
  /** It was refused and can be sent again. */
  readonly again?: boolean
}

/** The form of one operation. */
export function offerForm(
  { operation: { title, danger }, form }: Offered,
  id: string,
  { again = false }: Framing = {},
): Markup {
  return html`<form method="post" action="${form.action}" id="${id}" class="framed op" data-here aria-label="${
    again ? say('{operation}, again', { operation: say(title) }) : say(title)
  }"${danger === true && html` data-confirm="${say('Yes: {action}', { action: say(title) })}"`}>
${contentMarkup(form, id)}<p class="send"><button type="submit"${danger === true && html` class="danger"`}>${
    again ? say('Try again') : form.submit
  }</button></p>
</form>
`
}
