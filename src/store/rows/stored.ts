import { type Customer, customerToJson } from '../../model/customer/customer.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from '../port/store.ts'

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

/** The deal as an event left it. */
export const dealAfter = ({ deal }: StoredEvent): StoredDeal => storedDeal(JSON.parse(deal), deal)
