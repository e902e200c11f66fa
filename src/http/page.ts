import type { Collection } from '../queries/collection.ts'
import { writeCursor } from '../queries/cursor.ts'
import { type Place, placedAt, withoutPlace } from '../queries/place.ts'
import type { Query } from '../queries/query.ts'
import type { Document } from '../representations/document.ts'
import type { Page } from '../store/store.ts'

/** Where a page and its neighbours are. */
export interface PageLinks {
  readonly self: string
  readonly first: string
  readonly prev?: string
  readonly next?: string
}

export function pageLinks(
  address: string,
  search: string,
  collection: Collection,
  query: Query,
  page: Page,
): PageLinks {
  const start = withoutPlace(search)
  const at = (place: Place): string => withQuery(address, placedAt(start, place))
  const { hasMore, last } = page
  const first = withQuery(address, start)
  return {
    self: withQuery(address, search),
    first,
    ...(query.page !== undefined &&
      query.page > 1 && { prev: query.page === 2 ? first : at({ page: query.page - 1 }) }),
    // Behind the last row that was seen: the millionth page costs what the first does.
    ...(hasMore && last !== undefined && { next: at({ after: writeCursor(collection, query.sort, last) }) }),
  }
}

const withQuery = (address: string, query: string): string =>
  query === '' ? address : `${address}?${addressable(query)}`

/** As curl sends it, `age>=18` is no part of an address. */
const addressable = (query: string): string => query.replace(/[<>"{}|\\^`\s]/g, encodeURIComponent)

/** RFC 8288. */
export const linkHeader = (links: PageLinks): string =>
  Object.entries(links)
    .map(([relation, href]) => `<${href}>; rel="${relation}"`)
    .join(', ')

/** A page of items, put together from ready texts. */
export function pageDocument(
  title: string,
  collection: Collection,
  query: Query,
  page: Page,
  links: PageLinks,
): Document {
  const number = query.page === undefined ? '' : `"page":${query.page},`
  const total = page.total === undefined ? '' : `,"total":${page.total}`
  return {
    title,
    kind: 'page',
    item: collection.item,
    columns: query.fields ?? collection.columns,
    json: `{"items":[${page.items.join()}],${number}"pageSize":${query.size},"hasMore":${page.hasMore}${total},"links":${JSON.stringify(links)}}`,
  }
}

/** The items alone; programs find the links in the header, people below the table. */
export function listDocument(
  title: string,
  collection: Collection,
  query: Query,
  page: Page,
  links: PageLinks,
): Document {
  const columns = query.fields ?? collection.columns
  return {
    title,
    kind: 'list',
    item: collection.item,
    columns,
    json: `[${page.items.join()}]`,
    pageLinks: { ...links },
  }
}
