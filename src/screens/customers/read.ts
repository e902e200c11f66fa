import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask, askGroups, unlessTooCostly } from '../parts/ask.ts'
import type { Amount, ShownCustomer } from '../parts/shown.ts'

export interface AgeCount {
  /** The first of ten ages. */
  readonly from: number
  readonly count: number
}

/** The number of customers by decade of age. */
export async function readAges(desk: Desk): Promise<readonly AgeCount[]> {
  const { customers } = collectionsOf(desk.schema)
  const { items } = await ask(desk, customers, 'age.null=false&group=age&measure=count&maxpagesize=1000')
  const counts = new Map<number, number>()
  for (const json of items) {
    const { age, count } = JSON.parse(json) as { readonly age: number; readonly count: number }
    const from = age - (age % 10)
    counts.set(from, (counts.get(from) ?? 0) + count)
  }
  return [...counts].map(([from, count]) => ({ from, count }))
}

/** The most ids of a query. */
const AT_ONCE = 100

/** The sums of the customers' open deals, each in its currency. */
export async function readOpenValues(customers: readonly ShownCustomer[], desk: Desk) {
  const { deals } = collectionsOf(desk.schema)
  const ids = customers.map(({ id }) => id)
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
  const asked = 'status=open&group=customerId,currency&measure=sum.price&maxpagesize=1000'
  const read = async (part: readonly number[]): Promise<readonly string[]> =>
    (await unlessTooCostly(ask(desk, deals, `${asked}&customerId.in=${part}`), undefined))?.items ?? []
  const groups = (await Promise.all(parts.map(read))).flat().map((json) => readDocument(json) as DataObject)
  const sums = Map.groupBy(groups, ({ customerId }) => Number(customerId))
  return ({ id }: ShownCustomer) =>
    (sums.get(id) ?? []).map((group) => ({ currency: String(group.currency), amount: group['sum.price'] as Amount }))
}

/** The currencies of open deals. */
export async function readOpenCurrencies(desk: Desk): Promise<readonly string[]> {
  const { deals } = collectionsOf(desk.schema)
  const groups = await askGroups(desk, deals, 'status=open&group=currency&measure=count&sort=currency')
  return groups.map(({ currency }) => String(currency))
}

/** The times of the latest notes on the customers and their deals. */
export async function readLastContacts(customers: readonly ShownCustomer[], desk: Desk) {
  const ids = customers.map(({ id }) => id)
  const noted = await desk.lastNoted(resourceNamed(desk.schema, 'customer'), ids)
  return ({ id }: ShownCustomer): string | undefined => noted.get(String(id))
}
