import type { Collection } from '../../queries/collection.ts'
import { writeCursor } from '../../queries/cursor.ts'
import { shownColumns } from '../../queries/members/expansion.ts'
import type { Query } from '../../queries/query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames } from '../../queries/settings.ts'
import type { Document } from '../../representations/document.ts'
import type { JoinedItems } from '../../representations/read-document.ts'
import type { TextPage } from '../../store/port/desk.ts'
import { withQuery } from '../../values/address.ts'
import { requestBounds } from '../../values/bounds.ts'
import type { Json } from '../../values/json/json.ts'
import { unpacked } from '../../values/json/texts.ts'
import type { PageLinks } from '../contract/shown.ts'

/** A parameter of the page, as in its address. */
export type PageParameter = Pick<Parameter, 'name' | 'raw'>

export function pageLinks(
  address: string,
  parameters: readonly PageParameter[],
  collection: Collection,
  query: Query,
  page: TextPage,
): PageLinks {
  const start = parameters.filter(({ name }) => !placeNames.has(name))
  const first = withQuery(address, start)
  const at = (place: PagePosition): string => `${first}${start.length === 0 ? '?' : '&'}${asParameter(place)}`
  const prev = page.hasLess ? previous(collection, query, page) : undefined
  const next = following(collection, query, page)
  return fitting({
    self: start.length === parameters.length ? first : withQuery(address, parameters),
    first,
    ...(prev && { prev: isStart(prev) ? first : at(prev) }),
    // The rows before this one may have been removed; the list then begins at it.
    ...(page.hasMore && { next: next === undefined ? first : at(next) }),
  })
}

/** Only links that can be followed: the content of a QUERY may be longer than an address. */
function fitting(links: PageLinks): PageLinks {
  const entries = Object.entries(links)
  if (entries.every(([, href]) => href.length <= requestBounds.address)) return links
  return Object.fromEntries(entries.filter(([, href]) => href.length <= requestBounds.address))
}

/** The cursors of the next and the previous page, for the content of the next QUERY. */
export interface PageCursors {
  readonly after?: string
  readonly before?: string
}

export const cursorsOf = (collection: Collection, { sort }: Query, page: TextPage): PageCursors => ({
  ...(page.hasMore && page.last && { after: writeCursor(collection, sort, page.last) }),
  ...(page.hasLess && page.first && { before: writeCursor(collection, sort, page.first) }),
})

/** Keyset cursors from the last row, so that the millionth page costs as much as the first. */
function following(collection: Collection, query: Query, { last }: TextPage): PagePosition | undefined {
  const { groups, page = 1, skip, size, sort } = query
  if (groups === undefined) return last && { after: writeCursor(collection, sort, last) }
  // Groups are computed again for each page, wherever it begins.
  return skip === undefined ? { page: page + 1 } : { offset: skip + size }
}

/** Undefined on an empty page after a cursor, which has no row to begin at. */
function previous(collection: Collection, query: Query, { first }: TextPage): PagePosition | undefined {
  if (query.page !== undefined) return { page: query.page - 1 }
  if (first !== undefined) return { before: writeCursor(collection, query.sort, first) }
  return query.skip === undefined ? undefined : { offset: Math.max(0, query.skip - query.size) }
}

/** A link's position in a list, other than its start. */
type PagePosition =
  | { readonly after: string }
  | { readonly before: string }
  | { readonly page: number }
  | { readonly offset: number }

const isStart = (place: PagePosition): boolean =>
  'page' in place ? place.page === 1 : 'offset' in place && place.offset === 0

const asParameter = (place: PagePosition): string =>
  Object.entries(place)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('')

/** RFC 8288. If the addresses are too long for all links, `next` and `prev` come first. */
export function linkHeader(links: PageLinks): string {
  const all = Object.entries(links).map(([relation, href]) => ({ relation, text: `<${href}>; rel="${relation}"` }))
  const whole = all.map(({ text }) => text).join(', ')
  if (whole.length <= LONGEST_LINKS) return whole
  const ways = all.filter(({ relation }) => relation === 'next' || relation === 'prev')
  return ways.reduce((header, { text }) => withLink(header, text), '')
}

/** Clients accept some 16 KiB of headers in all. */
const LONGEST_LINKS = 8192

/** Adds links to the header, if they fit. */
export function withLink(header: string | undefined, more: string): string {
  if (header === undefined || header === '') return more.length > LONGEST_LINKS ? '' : more
  return more === '' || header.length + more.length + 2 > LONGEST_LINKS ? header : `${header}, ${more}`
}

/** A page of items, from stored texts. */
export function pageDocument(
  title: string,
  collection: Collection,
  query: Query,
  page: TextPage,
  links: PageLinks,
  members: { readonly [name: string]: Json } = {},
): ItemsDocument {
  const further = Object.entries(members).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  const number = query.page === undefined ? '' : `"page":${query.page},`
  const total = page.total === undefined ? '' : `,"total":${page.total}`
  return {
    title,
    kind: 'page',
    item: collection.item,
    columns: shownColumns(collection, query),
    items: collection,
    joined: {
      before: '{"items":[',
      texts: page.items,
      after: `],${number}"pageSize":${query.size},"hasMore":${page.hasMore}${total}${further.join('')},"links":${JSON.stringify(links)}}`,
    },
  }
}

/** Only the items; the links are in the header, and below the table of a page. */
export function listDocument(
  title: string,
  collection: Collection,
  query: Query,
  page: TextPage,
  links: PageLinks,
): ItemsDocument {
  const columns = shownColumns(collection, query)
  return {
    title,
    kind: 'list',
    item: collection.item,
    columns,
    items: collection,
    joined: { before: '[', texts: page.items, after: ']' },
    pageLinks: { ...links },
  }
}

/** A page or a list before its texts are joined. */
type ItemsDocument = Omit<Document, 'json'> & { readonly joined: JoinedItems }

/**
 * The texts are joined lazily: an HTML page does not need that, nor does a representation that is written item by item.
 */
export const asDocument = (document: ItemsDocument): Document => ({
  ...document,
  get json() {
    const { before, texts, after } = document.joined
    return `${before}${unpacked(texts).join()}${after}`
  },
})
