import type { Collection } from '../../queries/collection.ts'
import { parseQuery } from '../../queries/parse-query.ts'
import type { Filter, Query } from '../../queries/query.ts'
import type { Page, Store } from '../../store/port/store.ts'

/** A page of a collection, asked as an address would ask; `scope` holds besides. */
export function ask(store: Store, collection: Collection, search: string, scope: Filter = []): Promise<Page> {
  return store.page(collection.name, scope, queryOf(collection, search))
}

function queryOf(collection: Collection, search: string): Query {
  const parsed = parseQuery(collection, search)
  if ('faults' in parsed) throw new Error(`${search} does not ask ${collection.name}`)
  return parsed.query
}

/** The names of the customers that deals name. */
export function customerNames(
  store: Store,
  deals: readonly { readonly customerId: number | null }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(deals.map(({ customerId }) => customerId))
  return store.customerNames([...ids].filter((id) => id !== null))
}
