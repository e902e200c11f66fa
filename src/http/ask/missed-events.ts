import { collectionsOf } from '../../queries/collections.ts'
import { writeCursor } from '../../queries/cursor.ts'
import type { Query } from '../../queries/query.ts'
import { placeNames } from '../../queries/settings.ts'
import { withQuery } from '../../values/address.ts'
import { requestBounds } from '../../values/bounds.ts'
import { isUpTo } from '../../values/kinds/sequence.ts'
import { type Call, header } from '../contract/endpoint.ts'
import { headerProblem, type Problem } from '../contract/problems/problem.ts'

/** The problem of a page of events that begins before the kept ones. */
export async function missedEvents(
  { after, sort }: Query,
  call: Pick<Call, 'desk' | 'schema' | 'service' | 'query'>,
): Promise<Problem | undefined> {
  const { events } = collectionsOf(call.schema)
  const isForward = sort[0]?.field.name === events.key && !sort[0].descending
  return after === undefined || !isForward ? undefined : trimmedProblem(writeCursor(events, sort, after), call)
}

/** A reader who is before the trimmed position would miss events without noticing. */
export async function trimmedProblem(
  place: string,
  { desk, service, query }: Pick<Call, 'desk' | 'service' | 'query'>,
): Promise<Problem | undefined> {
  const upTo = await desk.trimmed.upTo()
  if (upTo === undefined || isUpTo(upTo, place)) return undefined
  const kept = query.parameters.filter(({ name }) => !placeNames.has(name))
  const begin = withQuery(service.addresses.events, [...kept, { raw: `after=${upTo}` }])
  return {
    code: 'events-trimmed',
    detail: `Events up to ${upTo} are no longer kept, and ${place} is before it.`,
    // The content of a QUERY may be longer than an address.
    ...(begin.length > requestBounds.address
      ? { extra: { after: upTo } }
      : { extra: { after: upTo, begin }, headers: { link: `<${begin}>; rel="next"` } }),
  }
}

/** The position in `Last-Event-ID` of a reconnecting client; undefined if it has none. */
export function lastSeen(call: Pick<Call, 'headers' | 'service'>): Placed | undefined {
  const last = header(call, 'last-event-id')
  if (last === undefined || last === '') return undefined
  const read = call.service.feed.readPlace(last)
  return 'fault' in read ? { problem: headerProblem('Last-Event-ID', read.fault) } : { place: last }
}

export type Placed = { readonly place: string } | { readonly problem: Problem }
