import type { Key, Thing } from '../../model/resource.ts'
import { isDeleted, resourceNamed } from '../../model/resources.ts'
import type { Resource } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { Members } from '../../values/members.ts'
import { unlessTooCostly } from '../parts/ask.ts'
import { besideName, MOST_PICKED, type Picked, pickedThing } from './picks.ts'

export type SentFields = ReadonlyMap<string, string>

/** The choice in each reference field of a form. */
export async function readPicked(sent: SentFields, members: Members, desk: Desk): Promise<ReadonlyMap<string, Picked>> {
  const references = Object.entries(members).flatMap(([param, { kind }]) => {
    const text = textIn(sent, param)
    return kind.refersTo === undefined || text === undefined
      ? []
      : [{ param, text, to: resourceNamed(desk.schema, kind.refersTo) }]
  })
  const picked = await Promise.all(
    references.map(async ({ param, text, to }) => [param, await readOne(text, to, desk)] as const),
  )
  return new Map(picked)
}

/** The text of a reference field; new search words take precedence over the previous choice. */
export const textIn = (sent: SentFields, param: string): string | undefined =>
  sent.get(besideName(param, 'find')) ?? sent.get(param)

async function readOne(text: string, resource: Resource, desk: Desk): Promise<Picked> {
  const id = resource.kinds.id?.readText(text.trim())
  if (id !== undefined && 'value' in id) {
    const thing = await desk.find(resource, id.value as Key)
    return thing === undefined || isDeleted(thing) ? {} : { chosen: pickedThing(resource, shownIn(thing.json)) }
  }
  const search = `${SEARCH}=${encodeURIComponent(text)}&maxpagesize=${MOST_PICKED}`
  const collection = collectionOf(resource)
  const parsed = parseQuery(collection, search)
  if ('faults' in parsed) return nothing
  const page = await unlessTooCostly(desk.page(collection, [], parsed.query), undefined)
  if (page === undefined) return nothing
  return { found: { things: page.items.map((json) => pickedThing(resource, shownIn(json))), hasMore: page.hasMore } }
}

const nothing: Picked = { found: { things: [], hasMore: false } }

const shownIn = (json: string): Thing => JSON.parse(json) as Thing
