import type { Tells } from '../../../events/feed.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { imported } from '../../../model/nouns/customer/imported.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { writeCursor } from '../../../queries/cursor.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import type { Query } from '../../../queries/query.ts'
import { misplaced, settingNames, spellingsOf } from '../../../queries/settings.ts'
import { reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { lastSeen, missedEvents, type Placed, trimmedProblem } from '../../ask/missed-events.ts'
import { openStream } from '../../ask/open-stream.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { parameterProblem } from '../../contract/problems/problem.ts'
import type { CollectionAddress } from './collection-address.ts'
import { collectionEndpoint } from './collection-endpoint.ts'

/** An event's address is its entry in the history of its thing; an import has none. */
const entryAddress: NonNullable<CollectionAddress['itemAddress']> = ({ subject, data }, { service, schema }) => {
  if (typeof subject !== 'string' || !isObject(data) || data.operation === imported(schema).name) return undefined
  const resource = schema.resources.find(({ name }) => Object.hasOwn(data, name))
  return resource && `${service.addresses.thing(resource, subject)}/history/${data.revision}`
}

export const eventsAddress = (schema: Schema): CollectionAddress => ({
  collection: collectionsOf(schema).events,
  path: '/events',
  summary: 'Events',
  about: { refuses: ['events-trimmed'] },
  itemAddress: entryAddress,
  screen: 'events',
  missed: missedEvents,
})

/** The feed: as pages like every collection, and as a live stream. */
export const eventsEndpoint = (schema: Schema): Endpoint => ({
  ...collectionEndpoint(eventsAddress(schema)),
  live: followEvents,
})

async function followEvents(call: Call): Promise<Answer> {
  const parsed = parseQuery(collectionsOf(call.schema).events, call.query)
  if ('faults' in parsed) return { problem: parameterProblem(parsed.faults) }
  const refused = misplaced(call.query, notForStreams, reason('meaningless', { wants: 'stream' }))
  if (refused.length > 0) return { problem: parameterProblem(refused) }
  const { feed } = call.service
  const place = await placeOf(call, parsed.query)
  if ('problem' in place) return place
  const trimmed = await trimmedProblem(place.place, call)
  if (trimmed !== undefined) return { problem: trimmed }
  return openStream(call, (reader) => feed.follow(place.place, parsed.query.filter, reader, judgeFor(call)))
}

/** The caller's role may be another one by the next event. */
const judgeFor =
  ({ desk: { caller }, service: { store } }: Call) =>
  (): Tells | undefined => {
    const desk = store.as(caller)
    return desk.caller?.own && ((event) => desk.tells(event))
  }

/** `Last-Event-ID` of a reconnecting client wins over `after` in its address. */
async function placeOf(call: Call, { after, sort }: Query): Promise<Placed> {
  const seen = lastSeen(call)
  if (seen !== undefined) return seen
  return {
    place:
      after === undefined
        ? await call.service.feed.head()
        : writeCursor(collectionsOf(call.schema).events, sort, after),
  }
}

const notForStreams = settingNames.difference(spellingsOf('after', 'format'))
