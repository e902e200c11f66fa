import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Collection } from '../../queries/collection.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import type { Filter, Query } from '../../queries/query.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Changes, Desk, Page, SearchOptions } from '../../store/port/desk.ts'
import { SearchTooCostly } from '../../store/port/store.ts'
import { memoize } from '../../values/memoize.ts'

/** Reads a page of a collection with a query string, within `scope`. */
export function ask(
  desk: Desk,
  collection: Collection,
  search: string,
  scope: Filter = [],
  options?: SearchOptions,
): Promise<Page> {
  return desk.page(collection, scope, parsed(collection)(search), options)
}

/** Pages repeat the same queries. */
const parsed = bySchema((collection: Collection) =>
  memoize((search): Query => {
    const read = parseQuery(collection, search)
    if ('faults' in read) throw new Error(`${search} is no query of ${collection.name}`)
    return read.query
  }),
)

/** Reads groups of a collection, at most a thousand, with exact amounts; they take as long as they need, in turn. */
export async function askGroups(
  desk: Desk,
  collection: Collection,
  search: string,
  scope: Filter = [],
): Promise<readonly DataObject[]> {
  const asked = () => ask(desk, collection, `${search}&maxpagesize=1000`, scope, { unbounded: true })
  const { items } = await inTurn(desk, asked)
  return items.map((json) => readDocument(json) as DataObject)
}

/**
 * Runs one query at a time on a store, in the order of the calls: queries over all data have no budget, and many of
 * them at once would leave nothing to others. decisions/0017
 */
export function inTurn<T>(desk: Desk, question: () => Promise<T>): Promise<T> {
  const answer = (last.get(desk.changes) ?? Promise.resolve()).then(question)
  last.set(
    desk.changes,
    answer.catch(() => {}),
  )
  return answer
}

const last = new WeakMap<Changes, Promise<unknown>>()

/** The result, or something less if reading it costs too much: a page shows the rest. */
export async function unlessTooCostly<T>(read: Promise<T>, less: T): Promise<T> {
  try {
    return await read
  } catch (cause) {
    if (cause instanceof SearchTooCostly) return less
    throw cause
  }
}
