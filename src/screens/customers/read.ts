import { resourceNamed } from '../../model/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { readSavedViews } from '../list/saved-views.ts'
import { readTotals } from '../list/totals.ts'
import { creationAddress } from '../page-forms/operation-form.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { ask, unlessTooCostly } from '../parts/ask.ts'
import { readCustomer } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { type CustomersPage, customersPage } from './view.ts'

const countAges = adaptiveCache(readAges)

/** How many customers there are of each ten ages. */
export async function readAges(desk: Desk): Promise<CustomersPage['ages']> {
  const { items } = await ask(
    desk,
    collectionsOf(desk.schema).customers,
    'age.null=false&group=age&measure=count&maxpagesize=1000',
  )
  const counts = new Map<number, number>()
  for (const json of items) {
    const { age, count } = JSON.parse(json) as { readonly age: number; readonly count: number }
    const from = age - (age % 10)
    counts.set(from, (counts.get(from) ?? 0) + count)
  }
  return [...counts].map(([from, count]) => ({ from, count }))
}

export async function showCustomers(list: ShownList, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const customers = await mapInTurns(list.items, readCustomer)
  const [ages, totals, saved] = await Promise.all([
    unlessTooCostly(countAges(visit.desk, ''), []),
    readTotals(collectionsOf(visit.desk.schema).customers, list, customers, visit),
    readSavedViews('customers', visit),
  ])
  const resource = resourceNamed(visit.desk.schema, 'customer')
  const creation = creationAddress(resource, visit)
  const { role } = visit
  return () => customersPage({ ...list, resource, customers, ages, totals, saved, creation, addresses, role })
}
