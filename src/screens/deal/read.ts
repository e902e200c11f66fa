import { dayIn } from '../../languages/formats.ts'
import { operationsOnExisting, resourceNamed, whyNotNow } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionsOf } from '../../queries/collections.ts'
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

const ENTRIES = 30

/** The page of a deal. */
export async function showDeal(stored: StoredDeal, visit: Visit): Promise<View> {
  const page = await readDealPage(stored, visit)
  return () => dealPage(page)
}

export async function readDealPage(stored: StoredDeal, visit: Visit): Promise<DealPage> {
  const { addresses } = visit.service
  const { schema } = visit.desk
  const resource = resourceNamed(schema, 'deal')
  const customers = resourceNamed(schema, 'customer')
  const { history } = collectionsOf(schema)
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const [entries, storedCustomer, tasks] = await Promise.all([
    ask(visit.desk, history, `sort=-revision&maxpagesize=${ENTRIES}`, entriesOf(history, deal.id)),
    deal.customerId === null ? undefined : visit.desk.find(customers, deal.customerId),
    showTasks({ dealId: deal.id }, now, visit),
  ])
  const customer = storedCustomer && readCustomer(storedCustomer.json)
  const picked = new Map(customer && [['customerId', { chosen: pickedThing(customers, { ...customer }) }]])
  const latest = entries.items.map(readEntry)
  const posting = ledgerOperations(resource)
  return {
    resource,
    deal,
    customer,
    offers: operationsOnExisting(resource)
      .map((operation) => offerOf(operation, stored, deal, now, visit))
      .map((offer) => ('form' in offer ? { ...offer, form: withPicked(offer.form, picked) } : offer)),
    history: await namedEntries(latest, visit.desk, new Map(customer && [[customer.id, customer.name]])),
    hasMoreHistory: entries.hasMore,
    postings: entries.hasMore
      ? await postingsOf(deal.id, posting, visit.desk)
      : latest.filter(({ operation }) => posting.includes(operation)).toReversed(),
    tasks,
    now,
    today: dayIn(now, visit.reader.timeZone),
    addresses,
  }
}

/** The entries of the ledger, which may be older than those that are shown. */
async function postingsOf(deal: string, operations: readonly string[], desk: Desk): Promise<readonly ShownEntry[]> {
  const { history } = collectionsOf(desk.schema)
  const search = `operation.in=${operations.join(',')}&maxpagesize=1000`
  return (await ask(desk, history, search, entriesOf(history, deal))).items.map(readEntry)
}

export const entriesOf = (history: Collection, deal: string): Filter => [equals(history, 'deal', deal)]

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
