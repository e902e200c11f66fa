import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { type Detail, details, quiet } from '../parts/details.ts'
import { dueMark, stageMark } from '../parts/marks.ts'
import { dateMarkup, instantMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import { fieldsBesideName, type ShownCustomer, type ShownDeal } from '../parts/shown.ts'
import { valueText } from '../parts/value-text.ts'
import type { Addresses } from '../parts/visit.ts'
import { fieldChangedBy, isOffered, type OperationOffer, offerMarkup } from './offers.ts'

interface DealFacts {
  readonly resource: Resource
  readonly deal: ShownDeal
  readonly customer: ShownCustomer | undefined
  readonly offers: readonly OperationOffer[]
  /** The day of whoever reads. */
  readonly today: string
  readonly addresses: Addresses
}

/** The fields of a deal, each with the form that changes it where that is possible now. */
export function dealFacts({ resource, deal, customer, offers, today, addresses }: DealFacts): Markup {
  const offersBy = new Map(offers.filter(isOffered).map((offer) => [fieldChangedBy(offer.operation), offer]))
  const changed = (field: keyof ShownDeal, shown: Hole): Hole => {
    const offer = offersBy.get(field)
    if (offer === undefined) return shown
    return html`${shown} ${offerMarkup(offer, offer.operation.title, say('Change'))}`
  }
  const rows: readonly Detail[] = [
    [say('Name'), changed('name', deal.name)],
    [say('Customer'), changed('customerId', customerFact(deal, customer, addresses))],
    [say('Owner'), changed('owner', ownerFact(deal, addresses))],
    [say('Stage'), changed('stage', stageMark(deal.stage))],
    [say('Price'), changed('price', money(deal.price, deal.currency))],
    [say('Completion date'), changed('completionDate', dueMark(deal, today) ?? quiet(say('not set')))],
    [say('Completed on'), deal.completedOn !== null && dateMarkup(deal.completedOn)],
    [say('Accepted by'), deal.acceptedBy ?? false],
    [
      say('Description'),
      changed(
        'description',
        deal.description === '' ? quiet(say('none')) : html`<span class="prose">${deal.description}</span>`,
      ),
    ],
    ...furtherFacts(resource, deal),
    [say('Created'), instantMarkup(deal.createdAt)],
    [say('Changed'), instantMarkup(deal.updatedAt)],
  ]
  return details(rows)
}

/** What clients say of a deal and the rows above do not have. */
const furtherFacts = (resource: Resource, deal: ShownDeal): readonly Detail[] =>
  fieldsBesideName(resource)
    .filter((field) => !shownAbove.has(field))
    .map((field) => [say(label(field)), valueText(resource, field, deal) || quiet(say('not set'))])

const shownAbove: ReadonlySet<string> = new Set([
  ...['customerId', 'owner', 'stage', 'price', 'currency', 'completionDate', 'description'],
])

const ownerFact = ({ owner }: ShownDeal, addresses: Addresses): Markup =>
  owner === null ? quiet(say('nobody')) : html`<a href="${addresses.person(owner)}">${owner}</a>`

function customerFact({ customerId }: ShownDeal, customer: ShownCustomer | undefined, addresses: Addresses): Markup {
  if (customerId === null) return quiet(say('none'))
  const more = [customer?.company, customer?.email, customer?.phone].flatMap((each) => each ?? [])
  const name = customer?.name ?? say('Customer {number}', { number: String(customerId) })
  return html`<a href="${addresses.customer(customerId)}">${name}</a>${
    more.length > 0 &&
    html`<br><span class="quiet">${more.map((each, at) => html`${at > 0 && ' · '}<span>${each}</span>`)}</span>`
  }`
}
