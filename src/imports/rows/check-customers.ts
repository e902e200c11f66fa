import { changedBy, type GivenCustomer } from '../../model/customer/chunk.ts'
import type { Customer } from '../../model/customer/customer.ts'
import type { ImportCounts } from '../../model/customer/imported.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse-query.ts'
import type { Store } from '../../store/port/store.ts'
import type { GivenValues } from '../read/row-reader.ts'

/** Counts what an import of customers would do, at most a page of them at a time. */
export function customerCheck(
  store: Store,
): (rows: readonly { readonly values: GivenValues }[]) => Promise<ImportCounts> {
  /** The ids that rows before would have made. */
  const made = new Set<number>()
  return async (rows) => {
    const given = rows.map(({ values }) => values as unknown as GivenCustomer)
    const known = await findCustomers(
      store,
      given.flatMap(({ id }) => (id === undefined ? [] : [id])),
    )
    const counts = { inserted: 0, updated: 0, unchanged: 0 }
    for (const row of given) {
      const before = row.id === undefined ? undefined : known.get(row.id)
      if (before !== undefined) counts[changedBy(row, before).length > 0 ? 'updated' : 'unchanged']++
      else if (row.id !== undefined && made.has(row.id)) counts.updated++
      else {
        counts.inserted++
        if (row.id !== undefined) made.add(row.id)
      }
    }
    return counts
  }
}

async function findCustomers(store: Store, ids: readonly number[]): Promise<ReadonlyMap<number, Customer>> {
  if (ids.length === 0) return new Map()
  const parsed = parseQuery(collections.customers, 'maxpagesize=1000')
  if ('faults' in parsed) throw new Error('customers have no pages')
  const scope = [{ field: fieldOf(collections.customers, 'id'), operator: 'eq', values: ids }] as const
  const { items } = await store.page('customers', scope, parsed.query)
  return new Map(items.map((json) => JSON.parse(json) as Customer).map((each) => [each.id, each]))
}
