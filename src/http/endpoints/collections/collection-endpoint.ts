import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { listedBy } from '../../../queries/members/groups.ts'
import { askerOf, withCaller } from '../../../queries/parse/caller.ts'
import { regexParameter } from '../../../queries/parse/parameters-with.ts'
import { type ParsedQuery, parseQuery } from '../../../queries/parse/parse-query.ts'
import type { Query, SortTerm } from '../../../queries/query.ts'
import { type QueryString, readQueryString } from '../../../queries/query-string.ts'
import { memberNames, misplaced, pageNames, pagingNames, spellingsOf } from '../../../queries/settings.ts'
import { label } from '../../../representations/html/label.ts'
import type { WholeResult } from '../../../representations/representation.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { memoize } from '../../../values/memoize.ts'
import { readPage, searchFault } from '../../ask/read-page.ts'
import type { Answer, Headers } from '../../contract/answer.ts'
import type { Description } from '../../contract/description.ts'
import type { Call, Endpoint, ListReading } from '../../contract/endpoint.ts'
import type { HeaderName } from '../../contract/headers.ts'
import { unreadable } from '../../contract/problems/not-granted.ts'
import { emptyList, faultsProblem } from '../../contract/problems/problem.ts'
import type { PageLinks, Shown, ShownList } from '../../contract/shown.ts'
import type { Success } from '../../contract/success.ts'
import {
  asDocument,
  cursorsOf,
  linkHeader,
  listDocument,
  type PageParameter,
  pageDocument,
  pageLinks,
} from '../../respond/page-links.ts'
import type { CollectionAddress } from './collection-address.ts'
import { asFile, ownAddress, readWhole, sameAddress, seenPage, sentParameters } from './read-whole.ts'

/** The endpoint of a collection. */
export function collectionEndpoint(address: CollectionAddress): Endpoint {
  const { collection, sort } = address
  const parse = memoize((search) => parseQuery(collection, search, sort === undefined ? {} : { sort }))
  const parseLatest = memoize((search) => parseQuery(collection, search, { sort: latestFirst(collection) }))
  // Links to other pages name the order, so that they continue with it in every representation. decisions/0046
  const ordered = memoize((search, order: string) =>
    readQueryString(`${search}${search === '' ? '' : '&'}sort=${order}`),
  )
  return {
    method: 'GET',
    path: address.path,
    role: address.role ?? 'reader',
    summary: address.summary,
    offers: 'collection',
    items: collection,
    parameters: 'collection',
    describes: describeCollection(address),
    handle: (call) => {
      const order = isUnordered(call) ? screenOf(address, call)?.order : undefined
      const sent = order === undefined ? call.query : ordered(call.query.text, order)
      const read = call.whole?.isLatest ? parseLatest : parse
      const parsed = withCaller(read(sent.text), askerOf(call.schema, call.caller?.user ?? null))
      return readCollection(address, parsed, call, sent, order)
    },
  }
}

const orderNames = spellingsOf('sort', 'group', 'measure', 'page', 'offset', 'after', 'before')

/** Whether a page is requested without an order. */
const isUnordered = ({ representation, query }: Call): boolean =>
  representation === 'html' && query.sentIn === undefined && !query.parameters.some(({ name }) => orderNames.has(name))

/** The default order of a feed. */
export const latestFirst = (collection: Collection): readonly SortTerm[] => [
  { field: fieldOf(collection, collection.key), descending: true },
]

function describeCollection(address: CollectionAddress): Description {
  const { collection, about = {} } = address
  return {
    group: label(collection.name),
    ...about,
    asks: collection,
    answers: answersOf(address),
    refuses: ['empty-list', 'query-too-costly', 'query-too-large', ...(about.refuses ?? [])],
  }
}

/** The successful answers of a collection. */
export function answersOf({ collection: { name, feed }, bare }: CollectionAddress): readonly Success[] {
  const shows = bare ? { list: name } : { page: name }
  const when = bare
    ? 'The items; where they go on is in `Link`, and for the content of a QUERY in `After`.'
    : 'A page, perhaps an empty one.'
  const cursors: readonly HeaderName[] = bare ? ['After', 'Before'] : []
  // A feed has its own validator.
  const validator: readonly HeaderName[] = feed === undefined ? [] : ['ETag']
  return [
    {
      status: 200,
      shows,
      headers: ['Link', ...validator, ...cursors, 'Content-Disposition', 'Location', 'Content-Location'],
      when,
    },
    {
      status: 200,
      shows: bare ? { partList: name } : { partPage: name },
      headers: ['Link'],
      when: 'Items with the members that `fields` names.',
      askedBy: ['fields', 'expand'],
    },
    {
      status: 200,
      shows: bare ? 'GroupList' : 'GroupPage',
      headers: ['Link'],
      when: 'Groups, if `group` or `measure` is given.',
      askedBy: ['group', 'measure'],
    },
  ]
}

/** `sent` is the query of the address, which its links repeat; `order` is a page's own order. */
export async function readCollection(
  address: CollectionAddress,
  parsed: ParsedQuery,
  call: Call,
  sent: QueryString,
  order?: string,
): Promise<Answer> {
  const { collection } = address
  if ('faults' in parsed) return { problem: faultsProblem(call.query, parsed.faults) }
  const { query } = parsed
  const hidden = unreadable(call, collection)
  if (hidden !== undefined) return { problem: hidden }
  const refused = refusedSettings(call)
  if (refused.length > 0) return { problem: faultsProblem(call.query, refused) }
  const unsearchable = await searchFault(query, (field) => regexParameter(collection, call.query, field), call)
  if (unsearchable !== undefined) return { problem: faultsProblem(call.query, [unsearchable]) }
  const within: Awaited<ReturnType<NonNullable<CollectionAddress['scope']>>> =
    address.scope === undefined ? { scope: [] } : await address.scope(call)
  if ('problem' in within) return within
  const seen = await seenTableIn(address, query, call)
  if (isWhole(call)) return readWhole(call.whole, address, within.scope, query, sent, call, seen)
  const { present } = address
  const asTheyAre = call.representation === 'json'
  const source = {
    collection,
    scope: within.scope,
    present: present && ((json: string) => present(json, call)),
    asTheyAre,
  }
  const hasScreen = showsInScreen(address, query, call)
  const { fields, ...whole } = query
  const read = await readPage(source, hasScreen || seen ? whole : query, call)
  if ('problem' in read) return read
  if (seen !== undefined && call.whole) return seenPage(call.whole, address, read.page.items, query, sent, call, seen)
  const missed = await address.missed?.(query, call)
  if (missed !== undefined) return { problem: missed }
  const { page } = read
  if (page.items.length === 0 && (query.refuseEmpty || address.bare)) return { problem: emptyList(query) }
  const links = pageLinks(ownAddress(call), ofThisPage(sent, call, query), collection, query, page)
  const cursors = call.query.sentIn === undefined ? {} : cursorsOf(collection, query, page)
  const members = { ...cursors, ...(await address.members?.(call)) }
  const list = listedBy(collection, query)
  const { itemAddress } = address
  const document = asDocument({
    ...(address.bare ? listDocument : pageDocument)(titleIn(address), list, query, page, links, members),
    ...(address.inEnglish && { inEnglish: address.inEnglish }),
    ...(within.about !== undefined && { about: within.about }),
    ...(call.whole && { address: sameAddress(sent, call) }),
    ...(query.groups === undefined && itemAddress && { itemAddress: (item) => itemAddress(item, call) }),
  })
  const link = linkHeader(links)
  const headers = {
    ...(link !== '' && { link }),
    // A bare list has no members for them.
    ...(address.bare && cursors),
    ...asFile(address, call),
    ...equivalent(call, links),
  }
  if (!hasScreen) return { status: 200, headers, document, shown: query.groups ? undefined : creationBelow(address) }
  const filter = [...within.scope, ...query.filter]
  const shown = { ...page, links, parameters: sentParameters(call.query), filter, fields, order }
  return { status: 200, headers, document, shown: shownList(address, shown) }
}

const creationBelow = ({ of, screen }: CollectionAddress): Shown | undefined =>
  of === undefined || screen !== 'things' ? undefined : { screen: 'creation', resource: of }

const shownList = ({ screen = '', of }: CollectionAddress, list: ShownList): Shown => ({
  screen: 'list',
  name: screen,
  list,
  ...(of && { of }),
})

const titleIn = ({ title, summary }: CollectionAddress): string => title ?? summary

const screenOf = ({ screen = '', of }: CollectionAddress, { service }: Call): ListReading | undefined =>
  service.screens.list(screen, of)

/** Whether people see the list in its screen. Members other than its columns are shown as a plain table. */
function showsInScreen(address: CollectionAddress, query: Query, call: Call): boolean {
  if (call.representation !== 'html' || query.groups !== undefined || query.expand !== undefined) return false
  const screen = screenOf(address, call)
  if (screen === undefined || query.fields === undefined) return screen !== undefined
  const { columns } = address.collection
  return screen.showsFields === true && query.fields.every((name) => columns.includes(name))
}

/** The table as people see it, if it is asked for. */
async function seenTableIn(address: CollectionAddress, { fields, groups, expand }: Query, call: Call) {
  if (!asksForShown(call) || groups !== undefined || expand !== undefined) return undefined
  return screenOf(address, call)?.table?.(fields, call)
}

const asksForShown = ({ query }: Call): boolean =>
  query.parameters.some(({ name, value }) => name === SHOWN && value === 'true')

const SHOWN = 'shown'
const shownNames = spellingsOf(SHOWN)
/** The formats of tables that people open. */
const tables: readonly string[] = ['csv', 'xlsx']

/** RFC 10008 §2.3, §2.4: the address with the same answer to GET, if the query fits into one. */
const equivalent = ({ query }: Call, { self }: PageLinks): Headers =>
  query.sentIn === undefined || self === undefined || self.length > LONGEST_EQUIVALENT
    ? {}
    : { location: self, 'content-location': self }

/** Both headers come with 8 KiB of links, and clients accept some 16 KiB of headers in all. */
const LONGEST_EQUIVALENT = 2048

/** The parameters that do not apply to a representation. */
const refusedSettings = ({ query, representation, whole }: Call): readonly Fault[] => [
  ...(tables.includes(representation) ? [] : misplaced(query, shownNames, reason('meaningless', { wants: 'table' }))),
  ...(whole === undefined
    ? []
    : [
        ...misplaced(query, unusedPaging(whole), reason('meaningless', { wants: 'whole-result', representation })),
        ...misplaced(query, unusedMembers(whole), reason('meaningless', { wants: 'own-members', representation })),
      ]),
]

/** The settings that do not apply to a representation. */
export const unusedSettings = ({ whole }: Call): ReadonlySet<string> =>
  whole === undefined ? none : unusedPaging(whole).union(unusedMembers(whole))

const none: ReadonlySet<string> = new Set()
const unusedPaging = ({ hasPages }: WholeResult): ReadonlySet<string> => (hasPages ? none : pagingNames)
const unusedMembers = ({ hasOwnMembers }: WholeResult): ReadonlySet<string> => (hasOwnMembers ? memberNames : none)

const isWhole = (call: Call): call is Call & { readonly whole: WholeResult } =>
  call.whole !== undefined &&
  !call.whole.isLatest &&
  !(call.whole.hasPages && call.query.parameters.some(({ name }) => pageNames.has(name)))

const sizeNames = spellingsOf('maxpagesize')

/** Links of a page of CSV keep a paging parameter: without one they would lead to the whole result. */
const ofThisPage = ({ parameters }: QueryString, { whole }: Call, { size }: Query): readonly PageParameter[] =>
  whole === undefined || whole.isLatest || parameters.some(({ name }) => sizeNames.has(name))
    ? parameters
    : [...parameters, { name: 'maxpagesize', raw: `maxpagesize=${size}` }]
