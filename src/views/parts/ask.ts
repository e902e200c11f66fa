import type { Collection } from '../../queries/collection.ts'
import { parseQuery } from '../../queries/parse-query.ts'
import type { Filter, Query } from '../../queries/query.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Page, Store } from '../../store/port/store.ts'
import { memoize } from '../../values/memoize.ts'
import { untilChanged } from './until-changed.ts'

/** Reads a page of a collection with a query string, within `scope`. */
export function ask(store: Store, collection: Collection, search: string, scope: Filter = []): Promise<Page> {
  return store.page(collection.name, scope, parsed(`${collection.name}?${search}`, collection, search))
}

/** Pages ask the same again and again. */
const parsed = memoize((_asked, collection: Collection, search: string): Query => {
  const read = parseQuery(collection, search)
  if ('faults' in read) throw new Error(`${search} is no query of ${collection.name}`)
  return read.query
})

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
  ids.delete(null)
  const known = [...ids] as readonly number[]
  return readNames(store, known.join(), known)
}

const readNames = untilChanged((store, _key, ids: readonly number[]) => store.customerNames(ids))
