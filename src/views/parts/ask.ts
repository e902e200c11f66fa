import type { Collection } from '../../queries/collection.ts'
import { parseQuery } from '../../queries/parse-query.ts'
import type { Filter } from '../../queries/query.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Page, Store } from '../../store/port/store.ts'

/** Reads a page of a collection with a query string, within `scope`. */
export function ask(store: Store, collection: Collection, search: string, scope: Filter = []): Promise<Page> {
  const parsed = parseQuery(collection, search)
  if ('faults' in parsed) throw new Error(`${search} is no query of ${collection.name}`)
  return store.page(collection.name, scope, parsed.query)
}

/** Reads groups of a collection, at most a thousand, with exact amounts. */
export async function askGroups(
  store: Store,
  collection: Collection,
  search: string,
  scope: Filter = [],
): Promise<readonly DataObject[]> {
  const { items } = await ask(store, collection, `${search}&maxpagesize=1000`, scope)
  return items.map((json) => readDocument(json) as DataObject)
}

/** The names of the deals' customers. */
export function customerNames(
  store: Store,
  deals: readonly { readonly customerId: number | null }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(deals.map(({ customerId }) => customerId))
  return store.customerNames([...ids].filter((id) => id !== null))
}
