import { type Customer, customerToJson } from '../../model/customer/customer.ts'
import { operationNamed } from '../../model/deal/operations.ts'
import type { DealEvent } from '../../model/event.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from '../port/store.ts'
import { entryJson, eventBody } from './event-body.ts'

export const storedDeal = (deal: Omit<StoredDeal, 'json'>, json: string): StoredDeal => ({
  id: deal.id,
  revision: deal.revision,
  updatedAt: deal.updatedAt,
  deletedAt: deal.deletedAt,
  customerId: deal.customerId,
  status: deal.status,
  held: deal.held,
  archived: deal.archived,
  amercement: deal.amercement,
  json,
})

export function storedCustomer(customer: Customer): StoredCustomer {
  const { id, revision, updatedAt } = customer
  return { id, revision, updatedAt, json: customerToJson(customer) }
}

/** An event with everything that its row has. */
export interface EventRow {
  readonly event: DealEvent
  readonly type: string
  readonly action: string
  readonly body: string
  readonly stored: StoredEvent
}

export function eventRow(event: DealEvent, dealJson: string): EventRow {
  const { deal, operation, at } = event
  const words = operationNamed(operation)?.words
  if (words === undefined) throw new Error(`there is no operation ${operation}`)
  const { event: type, action } = words
  const body = eventBody(event)
  const entry = entryJson(body, type, action, at)
  return { event, type, action, body, stored: { revision: deal.revision, operation, at, entry, deal: dealJson } }
}

/** The deal as an event left it. */
export const dealAfter = ({ deal }: StoredEvent): StoredDeal => storedDeal(JSON.parse(deal), deal)
