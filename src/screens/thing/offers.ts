import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import type { Text } from '../../languages/text.ts'
import { valueIn } from '../../model/declaration/operation.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { operationsByGroup } from '../../model/schema/resources.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { Reason } from '../../values/faults/fault.ts'
import { sureText } from '../forms/framed-form.ts'
import type { SeenThing } from '../parts/shown.ts'

/** An operation on a thing: its form if it is allowed now, otherwise the reason why not. */
export type OperationOffer = Offered | Withheld

export interface Offered {
  readonly operation: Operation
  readonly form: DocumentForm
}

interface Withheld {
  readonly operation: Operation
  readonly whyNot: Reason | Told
  /** Whether something about the thing forbids what is possible with others in the same state. */
  readonly isKept: boolean
}

export const isOffered = (offer: OperationOffer): offer is Offered => 'form' in offer

/** The reason for callers without the role. */
export const READS_ONLY: Told = 'you may only read'

/** Whether the page has something to say about it: its form, or why there is none. */
export const isTold = (offer: OperationOffer): boolean =>
  isOffered(offer) || offer.isKept || offer.whyNot === READS_ONLY

/** The field that an operation only sets, so that it is edited where it is shown. */
export function fieldChangedBy({ on, sets = {}, marks }: Operation): string | undefined {
  const [field, ...others] = Object.values(sets)
  return marks === undefined && others.length === 0 && field !== undefined && on.fields[field]?.by === 'client'
    ? field
    : undefined
}

/** Whether it is about the added fields, which the details show: its form is there, whole and for each of them. */
export const setsAdded = ({ params, differences }: Operation): boolean =>
  !differences && Object.values(params).some(({ kind }) => kind.titled !== undefined)

/** Whether the details leave a field out: most things have no id of another system. */
export const isLeftOut = ({ uniques }: Resource, field: string, thing: SeenThing): boolean =>
  uniques.includes(field) && (thing[field] ?? null) === null

/** The operations on a thing, except changes of the fields that its details show. */
export function offersMarkup(offers: readonly OperationOffer[], resource: Resource, thing: SeenThing): Markup {
  if (offers.every((offer) => 'whyNot' in offer && offer.whyNot === READS_ONLY))
    return html`<p class="quiet">${say('You may only read here.')}</p>\n`
  const allowed = offers.filter(isOffered).filter(({ operation }) => {
    const field = fieldChangedBy(operation)
    return field === undefined || isLeftOut(resource, field, thing)
  })
  const offerOf = new Map(allowed.map((offer) => [offer.operation, offer]))
  const groups = operationsByGroup(resource).map(({ title, operations }) => {
    const inGroup = operations.flatMap((operation) => offerOf.get(operation) ?? [])
    if (inGroup.length === 0) return undefined
    // Operations whose result the thing already has come last.
    const sorted = inGroup.toSorted((one, other) => Number(isSo(one, thing)) - Number(isSo(other, thing)))
    const each = sorted.map((offer) => offerMarkup(offer, titleOf(offer, thing)))
    return html`<h3>${say(title)}</h3>\n<div class="ops">${each}</div>\n`
  })
  return html`${groups}${withheldMarkup(offers)}`
}

/** Other operations are impossible because of the state: an open deal is not reopened. */
function withheldMarkup(offers: readonly OperationOffer[]): Markup | undefined {
  const entries = offers.flatMap((offer) => {
    if (isOffered(offer) || !offer.isKept) return []
    const { operation, whyNot } = offer
    return [html`<li>${phrase('{operation}: {why}', { operation: say(operation.title), why: told(whyNot) })}</li>`]
  })
  if (entries.length === 0) return undefined
  return html`<h3>${say('Not possible now')}</h3>
<ul class="withheld">${entries}</ul>
`
}

/** Whether the thing already is in the state that the operation leads to. */
const isSo = ({ operation: { marks = {} } }: Offered, thing: SeenThing): boolean =>
  Object.keys(marks).length > 0 && Object.entries(marks).every(([field, value]) => valueIn(thing, field) === value)

const titleOf = (offer: Offered, thing: SeenThing): string =>
  offer.operation.again !== undefined && isSo(offer, thing) ? offer.operation.again : offer.operation.title

/** The form of an operation under its title; without fields it is a button. */
export function offerMarkup(offer: Offered, title: string): Markup {
  const { name } = offer.operation
  return offer.form.fields.length === 0
    ? offerForm(offer, `op-${name}`)
    : opened(offer, `op-${name}`, html`<summary>${say(title)}</summary>`, say(title), say(title))
}

/** The form that changes a field where it is shown: all that the operation does, or one of the fields that it sets. */
export function inPlace(offer: Offered, field?: string): Markup {
  const { operation, form } = offer
  const title = say(operation.title)
  const those = form.fields.filter(({ name }) => name === field)
  const [one] = those
  if (one === undefined) return opened(offer, `op-${operation.name}`, pencil(title), title, title)
  const what = say('{about}: {what}', { about: say('Change'), what: one.label })
  const { heading: _heading, ...plain } = one
  const only = { operation, form: { ...form, fields: [plain] } }
  return opened(only, `op-${operation.name}-${plain.name.replace('.', '-')}`, pencil(what), what, say('Save'))
}

const pencil = (what: Text): Markup => html`<summary class="pencil" data-icon="edit" aria-label="${what}"></summary>`

function opened({ operation, form }: Offered, id: string, summary: Markup, name: Text, submit: Text): Markup {
  return html`<details class="op" name="op" id="${id}">${summary}
${offerForm({ operation, form: { ...form, submit } }, `${id}-form`, { name })}</details>
`
}

interface Framing {
  /** Its name, if it is not that of the operation. */
  readonly name?: Text
  /** It was refused and can be sent again. */
  readonly again?: boolean
}

/** The form of one operation. */
export function offerForm(
  { operation, form }: Offered,
  id: string,
  { again = false, ...framing }: Framing = {},
): Markup {
  const title = framing.name ?? say(operation.title)
  const isDanger = operation.danger === true
  const name = again ? say('{operation}, again', { operation: title }) : title
  const question = isDanger && html` data-confirm="${sureText(operation)}"`
  const sent = html`method="post" action="${form.action}" data-here`
  const kind = isDanger && html` class="danger"`
  const submit = again ? say('Try again') : form.submit
  return html`<form ${sent} id="${id}" class="framed op" aria-label="${name}"${question}>
${contentMarkup(form, id)}<p class="send"><button type="submit"${kind}>${submit}</button></p>
</form>
`
}
