import { customer } from '../../model/customer/customer.ts'
import { creationForm } from '../page-forms/operation-form.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { readCustomer } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { customersPage } from './view.ts'

const countAges = adaptiveCache((store) => store.ages())

export async function showCustomers(list: ShownList, visit: Visit): Promise<View> {
  const { store, addresses } = visit.service
  const ages = await countAges(store, '')
  const customers = list.items.map(readCustomer)
  const creation = creationForm(customer, visit)
  return () => customersPage({ ...list, customers, ages, creation, addresses })
}
