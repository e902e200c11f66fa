import { type Customer, customerToJson } from '../customers/customer.ts'
import type { Deal } from '../deals/deal.ts'
import type { DealEvent } from '../deals/event.ts'
import { operationNamed } from '../deals/operations.ts'
import type { Command } from '../perform.ts'
import { entryJson, eventBody } from './event-body.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from './store.ts'

export const storedDeal = ({ id, revision, updatedAt, deletedAt }: Deal, json: string): StoredDeal => ({
  id,
  revision,
  updatedAt,
  deletedAt,
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

/** The deal as a command left it. */
export const dealAfter = (command: Command, event: StoredEvent): StoredDeal => ({
  id: command.deal,
  revision: event.revision,
  updatedAt: event.at,
  deletedAt: event.operation === 'delete' ? event.at : null,
  json: event.deal,
})
