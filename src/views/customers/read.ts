import { customer } from '../../model/customer/customer.ts'
import { collections } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { readSavedViews } from '../list/saved-views.ts'
import { totalsOf } from '../list/totals.ts'
import { creationAddress } from '../page-forms/operation-form.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { ask, unlessTooCostly } from '../parts/ask.ts'
import { readCustomer } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { type CustomersPage, customersPage } from './view.ts'

const countAges = adaptiveCache(readAges)

/** How many customers there are of each ten ages. */
export async function readAges(desk: Desk): Promise<CustomersPage['ages']> {
  const { items } = await ask(desk, collections.customers, 'age.null=false&group=age&measure=count&maxpagesize=1000')
  const counts = new Map<number, number>()
  for (const json of items) {
    const { age, count } = JSON.parse(json) as { readonly age: number; readonly count: number }
    const from = age - (age % 10)
    counts.set(from, (counts.get(from) ?? 0) + count)
  }
  return [...counts].map(([from, count]) => ({ from, count }))
}

const readTotals = totalsOf(collections.customers)

export async function showCustomers(list: ShownList, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const customers = await mapInTurns(list.items, readCustomer)
  const [ages, totals, saved] = await Promise.all([
    unlessTooCostly(countAges(visit.desk, ''), []),
    readTotals(list, customers, visit),
    readSavedViews('customers', visit),
  ])
  const creation = creationAddress(customer, visit)
  const { role } = visit
  return () => customersPage({ ...list, customers, ages, totals, saved, creation, addresses, role })
}
