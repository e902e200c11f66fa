import type { Resource } from '../../../model/declaration/schema.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { parseAlone } from '../../../queries/parse/condition.ts'
import { regexParameter } from '../../../queries/parse/parameters-with.ts'
import { noQuery, type QueryString } from '../../../queries/query-string.ts'
import { spellingsOf } from '../../../queries/settings.ts'
import { project } from '../../../representations/project.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { reason } from '../../../values/faults/fault.ts'
import { lastSeen, trimmedProblem } from '../../ask/missed-events.ts'
import { noStream, openStream } from '../../ask/open-stream.ts'
import { searchFault } from '../../ask/read-page.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { unreadable } from '../../contract/problems/not-granted.ts'
import { parameterProblem, wrongParameter } from '../../contract/problems/problem.ts'

const SNAPSHOT = 'snapshot'

const use = { settings: spellingsOf('fields', 'format'), why: reason('meaningless', { wants: 'live-list' }) }

/** A list that follows its things, for clients that prefer a stream. Lists whose things belong to their creators have none. */
export function withLiveList(resource: Resource, endpoint: Endpoint): Endpoint {
  const { describes } = endpoint
  if (resource.privacy !== undefined || describes === undefined) return endpoint
  return {
    ...endpoint,
    describes: { ...describes, refuses: [...(describes.refuses ?? []), 'events-trimmed'] },
    live: (call) => followList(resource, call),
    snapshots: true,
  }
}

async function followList(resource: Resource, call: Call): Promise<Answer> {
  const collection = collectionOf(resource)
  const { wanted, query: asked } = withoutSnapshot(call.query)
  if (wanted === undefined) return { problem: wrongParameter(SNAPSHOT, reason('type', { wants: 'boolean' })) }
  const parsed = parseAlone(collection, asked, use, call.caller?.user ?? null)
  if ('faults' in parsed) return { problem: parameterProblem(parsed.faults) }
  const { filter, fields, expand } = parsed.query
  if (expand !== undefined) return { problem: wrongParameter('fields', use.why) }
  const unsearchable = await searchFault(parsed.query, (name) => regexParameter(collection, asked, name), call)
  if (unsearchable !== undefined) return { problem: parameterProblem([unsearchable]) }
  const { feed } = call.service
  const seen = lastSeen(call)
  if (seen !== undefined && 'problem' in seen) return seen
  const trimmed = seen && (await trimmedProblem(seen.place, { ...call, query: noQuery }))
  if (trimmed !== undefined) return { problem: trimmed }
  const refused = noStream(call)
  if (refused !== undefined) return { problem: refused }
  const show = fields === undefined ? asIs : (json: string) => project(json, withKey(collection, fields))
  const hidden = unreadable(call, collection)
  if (hidden !== undefined) return { problem: hidden }
  const list = { resource, filter: [...filter, ...call.desk.visible(collection)], show }
  // A reconnecting client has its things already.
  const from = seen?.place ?? (wanted ? await feed.snapshot(list) : await feed.head())
  if (from === undefined) {
    return { problem: wrongParameter(SNAPSHOT, reason('too-many', { wants: 'things', max: answerBounds.page })) }
  }
  return openStream(call, (reader) => feed.followList(list, from, reader))
}

const asIs = (json: string): string => json

/** A reader knows by it which thing has changed. */
const withKey = ({ key }: Pick<Collection, 'key'>, fields: readonly string[]): readonly string[] =>
  fields.includes(key) ? fields : [key, ...fields]

/** Whether a snapshot is wanted, undefined if that cannot be read; and the query without it. */
function withoutSnapshot(query: QueryString): { readonly wanted: boolean | undefined; readonly query: QueryString } {
  const given = query.parameters.filter(({ name }) => name === SNAPSHOT)
  const parameters = query.parameters.filter(({ name }) => name !== SNAPSHOT)
  const [{ value = '' } = { value: 'false' }, ...others] = given
  const isRead = others.length === 0 && /^(true|false)$/.test(value)
  return { wanted: isRead ? value === 'true' : undefined, query: { ...query, parameters } }
}
