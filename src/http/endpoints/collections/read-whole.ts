import { shownColumns } from '../../../queries/members/expansion.ts'
import { listedBy } from '../../../queries/members/groups.ts'
import type { Filter, Query } from '../../../queries/query.ts'
import type { Parameter, QueryString } from '../../../queries/query-string.ts'
import type { ListShape, WholeResult } from '../../../representations/representation.ts'
import { addressable, withQuery } from '../../../values/address.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { type JsonTexts, unpacked } from '../../../values/json/texts.ts'
import { expandedAtATime, expandWith } from '../../ask/expand.ts'
import { searchOptionsOf } from '../../ask/read-page.ts'
import type { ReadRelated } from '../../ask/related.ts'
import type { Answer, Headers } from '../../contract/answer.ts'
import type { Call, SeenTable } from '../../contract/endpoint.ts'
import { type WholeLayout, writeWhole } from '../../respond/whole-result.ts'
import type { CollectionAddress, ShownItem } from './collection-address.ts'

/** The whole result of a query as a stream, however long it is. */
export async function readWhole(
  whole: WholeResult,
  address: CollectionAddress,
  scope: Filter,
  query: Query,
  sent: QueryString,
  call: Call,
  seen?: SeenTable,
): Promise<Answer> {
  const { collection, present } = address
  const { fields: _fields, ...all } = query
  const read = seen === undefined ? query : all
  const stream = call.desk.stream(collection, scope, read, searchOptionsOf(read, call))[Symbol.asyncIterator]()
  // Read the first batch now, so that an error can still be answered.
  const first = await stream.next()
  if (first.done && (query.refuseEmpty || address.bare)) {
    return { problem: { code: 'empty-list', detail: 'Nothing matches.' } }
  }
  const { expand } = query
  const relatedNow: ReadRelated = (relation, keys) => call.desk.related(relation, keys, answerBounds.related + 1)
  if (seen !== undefined)
    return {
      lines: writeWhole(seenLayout(whole, address, query, sent, call, seen), first, stream),
      headers: asFile(address, call),
    }
  const written = {
    whole,
    list: listShape(address, query, sent, call),
    expand: expand && {
      atATime: expandedAtATime(expand),
      items: (texts: readonly string[]) => expandWith(relatedNow, expand, texts),
    },
    present: present && query.groups === undefined ? (json: string) => present(json, call) : undefined,
  }
  return { lines: writeWhole(written, first, stream), headers: asFile(address, call) }
}

/** One page of a table as people see it. */
export function seenPage(
  whole: WholeResult,
  address: CollectionAddress,
  items: JsonTexts,
  query: Query,
  sent: QueryString,
  call: Call,
  seen: SeenTable,
): Answer {
  const lines = new TextEncoder().encode(
    unpacked(items)
      .map((each) => `${each}\n`)
      .join(''),
  )
  const nothing: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }
  const layout = seenLayout(whole, address, query, sent, call, seen)
  return { lines: writeWhole(layout, { done: false, value: lines }, nothing), headers: asFile(address, call) }
}

const seenLayout = (
  whole: WholeResult,
  address: CollectionAddress,
  query: Query,
  sent: QueryString,
  call: Call,
  { columns, items, heads, separator, rows }: SeenTable,
): WholeLayout => ({
  whole,
  list: { ...listShape(address, query, sent, call), columns, items, shown: { heads, separator } },
  expand: { atATime: SEEN_AT_A_TIME, items: rows },
  present: undefined,
})

const SEEN_AT_A_TIME = 500

function listShape(address: CollectionAddress, query: Query, sent: QueryString, call: Call): ListShape {
  const list = listedBy(address.collection, query)
  const { itemAddress } = address
  return {
    name: nameOf(address),
    title: address.summary,
    address: sameAddress(sent, call),
    columns: shownColumns(list, query),
    chosen: query.fields !== undefined,
    items: list,
    ...(itemAddress && { itemAddress: (item: ShownItem) => itemAddress(item, call) }),
  }
}

/** The address of a list in its format, whether by suffix, parameter or header. */
export const sameAddress = (sent: QueryString, { path, service, representation }: Call): string =>
  withQuery(ownAddress({ path, service, suffix: `.${representation}` }), sentParameters(sent))

/** Browsers save these as files, named after the list. */
export function asFile(address: CollectionAddress, { representation, whole }: Call): Headers {
  if (whole === undefined || whole.isLatest) return {}
  return { 'content-disposition': `attachment; filename="${nameOf(address)}.${representation}"` }
}

const nameOf = ({ path, collection }: CollectionAddress): string =>
  path.split('/').findLast((segment) => !segment.startsWith(':')) ?? collection.name

/** Links keep the suffix of the request, except `.json`, which is the default. */
export function ownAddress({ path, suffix, service }: Pick<Call, 'path' | 'suffix' | 'service'>): string {
  const { base } = service.addresses
  const own = suffix === '' || suffix === '.json' ? path : `${path.replace(/\/$/, '')}${suffix}`
  return base + addressable(own)
}

/** The parameters of links, without `format`: a browser gets HTML anyway. */
export const sentParameters = ({ parameters }: QueryString): readonly Parameter[] =>
  parameters.filter(({ name }) => name !== 'format')
