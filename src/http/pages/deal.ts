import { dealOperations, operationNamed, whyNotNow } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { type DealPage, dealPage } from '../../views/deal.ts'
import { ledgerOperations } from '../../views/ledger.ts'
import type { Offer } from '../../views/offers.ts'
import { readCustomer, readDeal, readEntry, type ShownDeal } from '../../views/shown.ts'
import { type Call, mayDo } from '../endpoint.ts'
import { dealForm, valuesNow } from '../resources/page-forms.ts'
import { ask } from './ask.ts'
import { sampleOf } from './every-form.ts'

const { history } = collections
const ENTRIES = 30

/** A deal as people work on it. */
export async function showDeal(stored: StoredDeal, call: Call): Promise<Document['page']> {
  const read = await readDealPage(stored, call)
  return () => dealPage(read)
}

export async function readDealPage(stored: StoredDeal, call: Call): Promise<DealPage> {
  const { store, addresses } = call.service
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const scope = [{ field: fieldOf(history, 'deal'), operator: 'eq', values: [deal.id] }] as const
  const [entries, postings, customer] = await Promise.all([
    ask(store, history, `sort=-revision&maxpagesize=${ENTRIES}`, scope),
    ask(store, history, `operation.in=${ledgerOperations.join(',')}&maxpagesize=1000`, scope),
    deal.customerId === null ? undefined : store.customer(deal.customerId),
  ])
  return {
    deal,
    customer: customer && readCustomer(customer.json),
    offers: dealOperations.map((operation) => offerOf(operation, stored, deal, now, call)),
    history: entries.items.map(readEntry),
    hasMoreHistory: entries.hasMore,
    postings: postings.items.map(readEntry),
    ...(deal.deletedAt === null && { everyForm: sampleOf(tellingOperation(deal), stored, call) }),
    now,
    places: addresses,
  }
}

export function offerOf(operation: Operation, stored: StoredDeal, deal: ShownDeal, now: string, call: Call): Offer {
  const { name, title } = operation
  const { addresses } = call.service
  const everyForm = addresses.ofDeal(deal.id, `actions/${name}`)
  const whyNot = mayDo(call, 'editor') ? whyNotNow(operation, markingsOf(deal), now) : `${call.actor} may only read`
  if (whyNot !== undefined) return { name, title, everyForm, whyNot }
  return { name, title, everyForm, form: dealForm(operation, stored, valuesNow(operation, { ...deal }), addresses) }
}

/** The rules ask only whether there is an amercement. */
export const markingsOf = (deal: ShownDeal) => ({ ...deal, amercement: deal.amercement === 0 ? 0 : 1 })

/** One that shows well what the forms are about. */
function tellingOperation({ status, held }: ShownDeal): Operation {
  const operation = operationNamed(status !== 'open' ? 'add-note' : held ? 'unhold' : 'hold')
  if (operation === undefined) throw new Error('hold is not declared')
  return operation
}
