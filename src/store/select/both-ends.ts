import { type Collection, fieldOf } from '../../queries/collection.ts'
import { looksAtText, type Query } from '../../queries/query.ts'
import type { SearchOptions, TextPage } from '../port/desk.ts'

type ReadPage = (query: Query) => TextPage | Promise<TextPage>

/**
 * A page that knows both its ends, in whichever direction it was read. The row of a cursor nearly always still exists
 * and is read with the page; otherwise, and for text searches, further selects look for one row beyond.
 */
export async function withBothEnds(
  collection: Collection,
  query: Query,
  { onlyForward }: SearchOptions,
  read: ReadPage,
): Promise<TextPage> {
  const { after, before, ...rest } = query
  const asksBoth = after !== undefined && !onlyForward
  // A position from another store is the same in other digits.
  const isInclusive = asksBoth && !looksAtText(query.filter) && !collection.keyIsCursor
  const page = await read(isInclusive ? { ...query, inclusive: true } : query)
  if (before !== undefined) {
    const behind = await read({ ...rest, count: false, size: 0, ...(page.last && { after: page.last }) })
    return { ...page, hasMore: behind.hasMore }
  }
  if (!asksBoth) return page
  if (page.first === undefined) return { ...page, hasLess: true }
  if (page.hasLess && isInclusive) return page
  return { ...page, hasLess: await isPreceded(collection, { ...rest, count: false }, after, page.first, read) }
}

/** The row of the cursor is found by its key; only without it others are searched. */
async function isPreceded(
  collection: Collection,
  query: Query,
  cursor: NonNullable<Query['after']>,
  first: NonNullable<TextPage['first']>,
  read: ReadPage,
): Promise<boolean> {
  const key = { field: fieldOf(collection, collection.key), operator: 'eq', values: cursor.slice(-1) } as const
  const own = await read({ ...query, filter: [...query.filter, key], page: 1, size: 1 })
  if (own.first?.every((value, at) => value === cursor[at])) return true
  return (await read({ ...query, size: 0, before: first })).hasLess
}
