import { deal } from '../../model/deal/deal.ts'
import type { Operation } from '../../model/operation.ts'
import { operationsByGroup } from '../../model/resources.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

/** An operation on a deal: its form when it is allowed now, otherwise the reason why it is not. */
export type OperationOffer = { readonly operation: Operation; readonly everyForm: string } & (
  | { readonly form: DocumentForm }
  | { readonly whyNot: string }
)

export type Offered = Extract<OperationOffer, { readonly form: DocumentForm }>
type Withheld = Extract<OperationOffer, { readonly whyNot: string }>

export function offersMarkup(offers: readonly OperationOffer[]): Markup {
  const allowed = offers.filter((offer): offer is Offered => 'form' in offer)
  const withheld = offers.filter((offer): offer is Withheld => 'whyNot' in offer)
  return html`${operationsByGroup(deal).map(({ title, operations }) => {
    const inGroup = operations.flatMap((operation) => allowed.filter((offer) => offer.operation === operation))
    return inGroup.length > 0 && html`<h3>${title}</h3>\n<div class="ops">${inGroup.map(offerMarkup)}</div>\n`
  })}${
    withheld.length > 0 &&
    html`<h3>Not possible now</h3>
<ul class="withheld">${withheld.map(
      ({ operation, whyNot, everyForm }) => html`<li><a href="${everyForm}">${operation.title}</a>: ${whyNot}</li>`,
    )}</ul>
`
  }`
}

function offerMarkup(offer: Offered): Markup {
  const { form } = offer
  const { name, title } = offer.operation
  if (form.fields.length === 0) return offerForm(offer, `op-${name}`)
  return html`<details class="op" name="op" id="op-${name}"><summary>${title}</summary>
${offerForm(offer, `op-${name}-form`)}</details>
`
}

interface Framing {
  /** It was refused and can be sent again. */
  readonly again?: boolean
  /** The API requests are already on the page. */
  readonly alone?: boolean
}

/** The form of one operation. */
export function offerForm(
  { operation: { title, danger }, form, everyForm }: Offered,
  id: string,
  { again = false, alone = false }: Framing = {},
): Markup {
  return html`<form method="post" action="${form.action}" id="${id}" class="framed op" data-here aria-label="${title}${again && ', again'}"${
    danger === true && html` data-confirm="Yes: ${title.toLowerCase()}"`
  }>
${contentMarkup(form, id)}<p class="send"><button type="submit"${danger === true && html` class="danger"`}>${
    again ? 'Try again' : form.submit
  }</button>${!alone && html` <a class="quiet" href="${everyForm}">As API requests</a>`}</p>
</form>
`
}
