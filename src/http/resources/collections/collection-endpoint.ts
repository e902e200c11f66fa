import type { Collection } from '../../../queries/collection.ts'
import { listedBy } from '../../../queries/groups/groups.ts'
import { withCaller } from '../../../queries/members/caller.ts'
import { shownColumns } from '../../../queries/members/expansion.ts'
import { type ParsedQuery, parseQuery, readFilterParameter } from '../../../queries/parse-query.ts'
import { type Filter, leavesOf, type Query, type SortTerm, type Term } from '../../../queries/query.ts'
import type { Parameter, ParameterFault, QueryString } from '../../../queries/query-string.ts'
import { memberNames, misplaced, pageNames, pagingNames, spellingsOf } from '../../../queries/settings.ts'
import type { Document, DocumentForm } from '../../../representations/document.ts'
import type { WholeResult } from '../../../representations/representation.ts'
import { addressable, withQuery } from '../../../values/address.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import { memoize } from '../../../values/memoize.ts'
import type { PageLinks, ShownList, View, Visit } from '../../../views/parts/visit.ts'
import type { Answer, Headers } from '../../answer.ts'
import { readPage, searchFault, searchOptionsOf } from '../../ask/read-page.ts'
import type { Call, Endpoint, Need } from '../../endpoint.ts'
import type { Description, Group } from '../../openapi/description.ts'
import { expandedAtATime, expandItems } from '../../respond/expand.ts'
import {
  cursorsOf,
  linkHeader,
  listDocument,
  type PageParameter,
  pageDocument,
  pageLinks,
} from '../../respond/page-links.ts'
import { faultsProblem, type Problem } from '../../respond/problems/problem.ts'
import { writeWhole } from '../../respond/whole-result.ts'

/** A collection at an address: its scope, and how its items are shown. */
export interface CollectionAddress {
  readonly collection: Collection
  readonly path: string
  readonly summary: string
  readonly role?: Need
  readonly scope?: (call: Call) => Promise<{ readonly scope: Filter } | { readonly problem: Problem }>
  readonly sort?: readonly SortTerm[]
  /** Looks again when a page was read: a problem if it may miss something. */
  readonly missed?: (query: Query, call: Call) => Promise<Problem | undefined>
  /** Further members of a page's document,. */
  readonly members?: (call: Call) => Promise<{ readonly [name: string]: Json }>
  /** Converts an item's stored text to what is shown, if they differ. */
  readonly present?: (json: string, call: Call) => string
  readonly itemAddress?: (item: ShownItem, call: Call) => string | undefined
  readonly forms?: (call: Call) => readonly DocumentForm[]
  /** What people see instead of a table of all fields. */
  readonly page?: (list: ShownList, visit: Visit) => Promise<View | undefined>
  /** Answers with a bare list, and with a problem if it is empty. */
  readonly bare?: true
  /** Further description for documents. */
  readonly about?: Partial<Pick<Description, 'group' | 'refuses' | 'parameter'>>
}

interface ShownItem {
  readonly [name: string]: unknown
}

/** The endpoint of a collection. */
export function collectionEndpoint(address: CollectionAddress): Endpoint {
  const { collection, sort } = address
  const parse = memoize((search) => parseQuery(collection, search, sort === undefined ? {} : { sort }))
  return {
    method: 'GET',
    path: address.path,
    role: address.role ?? 'reader',
    summary: address.summary,
    offers: 'collection',
    items: collection,
    parameters: 'collection',
    describes: describeCollection(address),
    handle: (call) => readCollection(address, withCaller(parse(call.query.text), call.caller?.user ?? null), call),
  }
}

const groups: { readonly [collection: string]: Group } = {
  customers: 'Customers',
  deals: 'Deals',
  history: 'Deals: History',
  commands: 'Commands',
  events: 'Events',
  webhooks: 'Webhooks',
  deliveries: 'Webhooks',
  users: 'Users',
  people: 'Users',
  keys: 'Users',
  sessions: 'Users',
  audit: 'Users',
}

function describeCollection({ collection, about = {}, bare }: CollectionAddress): Description {
  const { name } = collection
  const shows = bare ? { list: name } : { page: name }
  const when = bare ? 'The items; where they go on is in `Link`.' : 'A page, perhaps an empty one.'
  return {
    group: groups[name] ?? 'Service',
    ...about,
    asks: collection,
    answers: [
      { status: 200, shows, headers: ['Link', 'Content-Disposition', 'Location', 'Content-Location'], when },
      {
        status: 200,
        shows: bare ? 'GroupList' : 'GroupPage',
        headers: ['Link'],
        when: 'Groups, if `group` or `measure` is given.',
      },
    ],
    refuses: ['empty-list', 'query-too-costly', ...(about.refuses ?? [])],
  }
}

async function readCollection(address: CollectionAddress, parsed: ParsedQuery, call: Call): Promise<Answer> {
  const { collection } = address
  if ('faults' in parsed) return { problem: faultsProblem(call.query, parsed.faults) }
  const { query } = parsed
  const refused = refusedSettings(call)
  if (refused.length > 0) return { problem: faultsProblem(call.query, refused) }
  const unsearchable = await searchFault(query, (field) => regexParameter(collection, call.query, field), call)
  if (unsearchable !== undefined) return { problem: faultsProblem(call.query, [unsearchable]) }
  const within = address.scope === undefined ? { scope: [] } : await address.scope(call)
  if ('problem' in within) return within
  if (isWhole(call)) return readWhole(call.whole, address, within.scope, query, call)
  const { present } = address
  const source = { collection, scope: within.scope, present: present && ((json: string) => present(json, call)) }
  const read = await readPage(source, query, call)
  if ('problem' in read) return read
  const missed = await address.missed?.(query, call)
  if (missed !== undefined) return { problem: missed }
  const { page } = read
  if (page.items.length === 0 && (query.refuseEmpty || address.bare)) {
    return { problem: { code: 'empty-list', detail: 'Nothing matches.' } }
  }
  const links = pageLinks(ownAddress(call), ofThisPage(call, query), collection, query, page)
  const members = {
    ...(call.query.sentIn && cursorsOf(collection, query, page)),
    ...(await address.members?.(call)),
  }
  const list = listedBy(collection, query)
  const document = () =>
    (address.bare ? listDocument : pageDocument)(address.summary, list, query, page, links, members)
  const link = linkHeader(links)
  const headers = { ...(link !== '' && { link }), ...asFile(address, call), ...equivalent(call, links) }
  const answer = { status: 200, headers }
  if (query.groups !== undefined) return { ...answer, document: document() }
  // A request for certain members gets a plain table of them.
  const hasOwnTable = query.fields !== undefined || query.expand !== undefined
  if (address.page === undefined || call.representation !== 'html' || hasOwnTable) {
    return { ...answer, document: withPeople(document(), address, call) }
  }
  const shownPage = await address.page({ ...page, links, parameters: sentParameters(call.query) }, call)
  if (shownPage === undefined) return { ...answer, document: document() }
  return {
    ...answer,
    document: {
      title: address.summary,
      kind: 'page',
      item: collection.item,
      page: shownPage,
      // Joined lazily: an HTML page does not need the text.
      get json() {
        return document().json
      },
    },
  }
}

/** Links keep the suffix of the request, except `.json`, which is the default. */
function ownAddress({ path, suffix, service }: Pick<Call, 'path' | 'suffix' | 'service'>): string {
  const { base } = service.addresses
  const own = suffix === '' || suffix === '.json' ? path : `${path.replace(/\/$/, '')}${suffix}`
  return base + addressable(own)
}

/** RFC 10008 §2.3, §2.4: the address that GET gives the same at, if the query fits into one. */
const equivalent = ({ query }: Call, { self }: PageLinks): Headers =>
  query.sentIn === undefined || self === undefined || self.length > LONGEST_EQUIVALENT
    ? {}
    : { location: self, 'content-location': self }

/** Both headers stand beside 8 KiB of links, and clients accept some 16 KiB of headers in all. */
const LONGEST_EQUIVALENT = 2048

/** The parameters of links, without `format`: a browser gets HTML anyway. */
export const sentParameters = ({ parameters }: QueryString): readonly Parameter[] =>
  parameters.filter(({ name }) => name !== 'format')

/** The parameter that looks for a pattern in a field, by itself or within a tree. */
function regexParameter(collection: Collection, { parameters }: QueryString, name: string): string {
  const isIt = ({ field, operator }: Term) => field.name === name && operator === 'regex'
  const found = parameters.find((parameter) => {
    const read = readFilterParameter(collection, parameter)
    return read !== undefined && !('fault' in read) && leavesOf([read]).some(isIt)
  })
  return found?.name ?? `${name}.regex`
}

/** The parameters that a representation has no use for. */
const refusedSettings = ({ query, representation, whole }: Call): readonly ParameterFault[] =>
  whole === undefined
    ? []
    : [
        ...(whole.hasPages
          ? []
          : misplaced(query, pagingNames, `does not go with ${representation}, which is the whole result`)),
        ...(whole.hasOwnMembers
          ? misplaced(query, memberNames, `does not go with ${representation}, which has members of its own`)
          : []),
      ]

const isWhole = (call: Call): call is Call & { readonly whole: WholeResult } =>
  call.whole !== undefined && !(call.whole.hasPages && call.query.parameters.some(({ name }) => pageNames.has(name)))

async function readWhole(
  whole: WholeResult,
  address: CollectionAddress,
  scope: Filter,
  query: Query,
  call: Call,
): Promise<Answer> {
  const { collection, present } = address
  const stream = call.service.store
    .stream(collection.name, scope, query, searchOptionsOf(query, call))
    [Symbol.asyncIterator]()
  // Read the first batch now, so that an error can still be answered.
  const first = await stream.next()
  if (first.done && (query.refuseEmpty || address.bare)) {
    return { problem: { code: 'empty-list', detail: 'Nothing matches.' } }
  }
  const { expand } = query
  const list = listedBy(collection, query)
  const { itemAddress } = address
  const written = {
    whole,
    list: {
      name: nameOf(address),
      title: address.summary,
      // The same, however the format was asked for.
      address: withQuery(
        ownAddress({ path: call.path, service: call.service, suffix: `.${call.representation}` }),
        sentParameters(call.query),
      ),
      columns: shownColumns(list, query),
      chosen: query.fields !== undefined,
      items: list,
      ...(itemAddress && { itemAddress: (item: ShownItem) => itemAddress(item, call) }),
    },
    expand: expand && {
      atATime: expandedAtATime(expand),
      items: (texts: readonly string[]) => expandItems(call.service.store, expand, texts),
    },
    present: present && query.groups === undefined ? (json: string) => present(json, call) : undefined,
  }
  return { lines: writeWhole(written, first, stream), headers: asFile(address, call) }
}

/** Browsers save these as files, named after the list. */
function asFile(address: CollectionAddress, { representation, whole }: Call): Headers {
  if (whole === undefined) return {}
  return { 'content-disposition': `attachment; filename="${nameOf(address)}.${representation}"` }
}

const nameOf = ({ path, collection }: CollectionAddress): string =>
  path.split('/').findLast((segment) => !segment.startsWith(':')) ?? collection.name

const sizeNames = spellingsOf('maxpagesize')

/** Links of a page of CSV keep a paging parameter: without one they would lead to the whole result. */
const ofThisPage = ({ query: { parameters }, whole }: Call, { size }: Query): readonly PageParameter[] =>
  whole === undefined || parameters.some(({ name }) => sizeNames.has(name))
    ? parameters
    : [...parameters, { name: 'maxpagesize', raw: `maxpagesize=${size}` }]

function withPeople(document: Document, { itemAddress, forms }: CollectionAddress, call: Call): Document {
  return {
    ...document,
    ...(itemAddress && { itemAddress: (item) => itemAddress(item, call) }),
    ...(forms && { forms: () => forms(call) }),
  }
}
