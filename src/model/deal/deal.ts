import { currency } from '../../values/codes.ts'
import { nullable, type ValueOf } from '../../values/kind.ts'
import { amount, amountToText, type Thousandths, total } from '../../values/money.ts'
import { boolean, integer } from '../../values/number.ts'
import { choice, nameText, text } from '../../values/text.ts'
import { date, instant } from '../../values/time.ts'
import { uuid } from '../../values/uuid.ts'

export const stages = ['lead', 'qualified', 'proposal', 'negotiation', 'contract'] as const
export const statuses = ['open', 'completed', 'cancelled'] as const

/** No total goes beyond this, so that a sum of thousandths stays an exact integer. */
export const LARGEST_TOTAL: Thousandths = 9e15

/** The fields of a deal, in the order in which it is written and stored. */
export const dealFields = {
  id: uuid,
  name: nameText({ min: 1, max: 200 }),
  price: amount(),
  currency,
  customerId: nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  owner: nullable(nameText({ min: 1, max: 200 })),
  description: text({ min: 0, max: 10_000 }),
  stage: choice(stages),
  completionDate: nullable(date),
  status: choice(statuses),
  held: boolean,
  holdReason: nullable(text({ min: 1, max: 1000 })),
  archived: boolean,
  amercement: total(LARGEST_TOTAL),
  paid: total(LARGEST_TOTAL),
  completedOn: nullable(date),
  acceptedBy: nullable(nameText({ min: 1, max: 200 })),
  closingReason: nullable(text({ min: 1, max: 1000 })),
  deletedAt: nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  revision: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
} as const

/** A deal as the domain holds it: amounts are whole thousandths. */
export type Deal = { readonly [F in keyof typeof dealFields]: ValueOf<(typeof dealFields)[F]> }

/** What the rules look at; a deal read back from its document has it too. */
export type Markings = Pick<Deal, 'status' | 'held' | 'archived' | 'amercement' | 'deletedAt'>

/** Where a deal begins: creation is an operation like the others, done to this. */
export function blankDeal(id: string, now: string, currency: string): Deal {
  return {
    id,
    name: '',
    price: 0,
    currency,
    customerId: null,
    owner: null,
    description: '',
    stage: 'lead',
    completionDate: null,
    status: 'open',
    held: false,
    holdReason: null,
    archived: false,
    amercement: 0,
    paid: 0,
    completedOn: null,
    acceptedBy: null,
    closingReason: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
    revision: 0,
  }
}

/** The deal's document: the JSON text that every reader gets, amounts exact to the last digit. */
export function dealToJson(deal: Deal): string {
  return `{"id":"${deal.id}","name":${JSON.stringify(deal.name)},"price":${amountToText(deal.price)},"currency":"${
    deal.currency
  }","customerId":${deal.customerId},"owner":${JSON.stringify(deal.owner)},"description":${JSON.stringify(
    deal.description,
  )},"stage":"${deal.stage}","completionDate":${quoted(deal.completionDate)},"status":"${deal.status}","held":${
    deal.held
  },"holdReason":${JSON.stringify(deal.holdReason)},"archived":${deal.archived},"amercement":${amountToText(
    deal.amercement,
  )},"paid":${amountToText(deal.paid)},"completedOn":${quoted(deal.completedOn)},"acceptedBy":${JSON.stringify(
    deal.acceptedBy,
  )},"closingReason":${JSON.stringify(deal.closingReason)},"deletedAt":${quoted(deal.deletedAt)},"createdAt":"${
    deal.createdAt
  }","updatedAt":"${deal.updatedAt}","revision":${deal.revision}}`
}

/** For texts that need no escaping: ids, dates, instants. */
const quoted = (value: string | null): string => (value === null ? 'null' : `"${value}"`)
