import { customer as customers } from '../../model/customer/customer.ts'
import { deal as deals } from '../../model/deal/deal.ts'
import type { Operation } from '../../model/operation.ts'
import type { Thing } from '../../model/resource.ts'
import { operationsOnExisting, whyNotNow } from '../../model/resources.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { mayDo } from '../../values/role.ts'
import type { EveryForm } from '../operation/every-form.ts'
import { thingForm } from '../page-forms/operation-form.ts'
import { pickedThing, withPicked } from '../page-forms/picks.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readCustomer, readDeal, readEntry, type ShownDeal } from '../parts/shown.ts'
import { showTasks } from '../parts/tasks/read.ts'
import type { View, Visit } from '../parts/visit.ts'
import { ledgerOperations } from './ledger.ts'
import type { OperationOffer } from './offers.ts'
import { type DealPage, dealPage } from './view.ts'

const { history } = collections
const dealOperations = operationsOnExisting(deals)
const ENTRIES = 30

/** Writes the requests that ask for an operation on a deal, one in each form. */
export type SampleOf = (operation: Operation, stored: StoredDeal) => EveryForm

/** The page of a deal. */
export async function showDeal(stored: StoredDeal, visit: Visit, sampleOf: SampleOf): Promise<View> {
  const page = await readDealPage(stored, visit, sampleOf)
  return () => dealPage(page)
}

export async function readDealPage(stored: StoredDeal, visit: Visit, sampleOf: SampleOf): Promise<DealPage> {
  const { store, addresses } = visit.service
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const [entries, postings, customer, tasks] = await Promise.all([
    ask(store, history, `sort=-revision&maxpagesize=${ENTRIES}`, entriesOf(deal.id)),
    ask(store, history, `operation.in=${ledgerOperations.join(',')}&maxpagesize=1000`, entriesOf(deal.id)),
    deal.customerId === null ? undefined : store.find(customers, deal.customerId),
    showTasks({ dealId: deal.id }, now, visit),
  ])
  const picked = new Map(
    customer && [['customerId', { chosen: pickedThing(customers, JSON.parse(customer.json) as Thing) }]],
  )
  return {
    deal,
    customer: customer && readCustomer(customer.json),
    offers: dealOperations
      .map((operation) => offerOf(operation, stored, deal, now, visit))
      .map((offer) => ('form' in offer ? { ...offer, form: withPicked(offer.form, picked) } : offer)),
    history: await namedEntries(entries.items.map(readEntry), store),
    hasMoreHistory: entries.hasMore,
    postings: postings.items.map(readEntry),
    everyForm: deal.deletedAt === null ? sampleOf(exampleFor(deal, now), stored) : undefined,
    tasks,
    now,
    addresses,
  }
}

export const entriesOf = (deal: string): Filter => [{ field: fieldOf(history, 'deal'), operator: 'eq', values: [deal] }]

export function offerOf(
  operation: Operation,
  stored: StoredDeal,
  deal: ShownDeal,
  now: string,
  visit: Visit,
): OperationOffer {
  const { addresses } = visit.service
  const everyForm = addresses.ofDeal(deal.id, `actions/${operation.name}`)
  const whyNot = mayDo(visit, 'editor') ? whyNotNow(operation, markingsOf(deal), now) : `${visit.actor} may only read`
  if (whyNot !== undefined) return { operation, everyForm, whyNot }
  return { operation, everyForm, form: thingForm(operation, stored, { ...deal }, addresses) }
}

/** Conditions only ask whether there is an amercement, so its amount may be inexact. */
export const markingsOf = (deal: ShownDeal) => ({ ...deal, amercement: deal.amercement === 0 ? 0 : 1 })

/** The operation that shows the forms best: allowed now, and possible in every form. */
function exampleFor(deal: ShownDeal, now: string): Operation {
  const possible = dealOperations.filter((operation) => whyNotNow(operation, markingsOf(deal), now) === undefined)
  const example =
    possible.find(({ fromAttributes }) => fromAttributes !== undefined) ?? possible[0] ?? dealOperations[0]
  if (example === undefined) throw new Error('nothing can be done with a deal')
  return example
}
