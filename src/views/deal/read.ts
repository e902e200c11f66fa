import { customer as customers } from '../../model/customer/customer.ts'
import { deal as deals } from '../../model/deal/deal.ts'
import type { Operation } from '../../model/operation.ts'
import { operationsOnExisting, whyNotNow } from '../../model/resources.ts'
import { collections } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import type { Desk, StoredDeal } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { thingForm } from '../page-forms/operation-form.ts'
import { pickedThing, withPicked } from '../page-forms/picks.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readCustomer, readDeal, readEntry, type ShownDeal, type ShownEntry } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { showTasks } from '../task-panel/read.ts'
import { ledgerOperations } from './ledger.ts'
import { markingsOf, type OperationOffer, READS_ONLY } from './offers.ts'
import { type DealPage, dealPage } from './view.ts'

const { history } = collections
const dealOperations = operationsOnExisting(deals)
const ENTRIES = 30

/** The page of a deal. */
export async function showDeal(stored: StoredDeal, visit: Visit): Promise<View> {
  const page = await readDealPage(stored, visit)
  return () => dealPage(page)
}

export async function readDealPage(stored: StoredDeal, visit: Visit): Promise<DealPage> {
  const { addresses } = visit.service
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const [entries, storedCustomer, tasks] = await Promise.all([
    ask(visit.desk, history, `sort=-revision&maxpagesize=${ENTRIES}`, entriesOf(deal.id)),
    deal.customerId === null ? undefined : visit.desk.find(customers, deal.customerId),
    showTasks({ dealId: deal.id }, now, visit),
  ])
  const customer = storedCustomer && readCustomer(storedCustomer.json)
  const picked = new Map(customer && [['customerId', { chosen: pickedThing(customers, { ...customer }) }]])
  const latest = entries.items.map(readEntry)
  return {
    deal,
    customer,
    offers: dealOperations
      .map((operation) => offerOf(operation, stored, deal, now, visit))
      .map((offer) => ('form' in offer ? { ...offer, form: withPicked(offer.form, picked) } : offer)),
    history: await namedEntries(latest, visit.desk, new Map(customer && [[customer.id, customer.name]])),
    hasMoreHistory: entries.hasMore,
    postings: entries.hasMore ? await postingsOf(deal.id, visit.desk) : latest.filter(isPosting).toReversed(),
    tasks,
    now,
    addresses,
  }
}

/** The entries of the ledger, which may be older than those that are shown. */
async function postingsOf(deal: string, desk: Desk): Promise<readonly ShownEntry[]> {
  const search = `operation.in=${ledgerOperations.join(',')}&maxpagesize=1000`
  return (await ask(desk, history, search, entriesOf(deal))).items.map(readEntry)
}

const isPosting = ({ operation }: ShownEntry): boolean => ledgerOperations.includes(operation)

export const entriesOf = (deal: string): Filter => [equals(history, 'deal', deal)]

export function offerOf(
  operation: Operation,
  stored: StoredDeal,
  deal: ShownDeal,
  now: string,
  visit: Visit,
): OperationOffer {
  const { addresses } = visit.service
  const everyForm = addresses.ofDeal(deal.id, `actions/${operation.name}`)
  const whyNot = mayDo(visit, 'editor') ? whyNotNow(operation, markingsOf(deal), now) : READS_ONLY
  if (whyNot !== undefined) return { operation, everyForm, whyNot }
  return { operation, everyForm, form: thingForm(operation, stored, { ...deal }, addresses) }
}
