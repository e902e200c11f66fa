import { type Key, membersToCreate, type Thing } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { isDeleted, resourceNamed } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import type { PickedThing } from '../../representations/document.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { Members } from '../../values/members.ts'
import { unlessTooCostly } from '../parts/ask.ts'
import { referringFields } from '../parts/names.ts'
import { besideName, MOST_PICKED, type Picked, pickedThing } from './picks.ts'

export type SentFields = ReadonlyMap<string, string>

/** The choice in each reference field of a form. */
export async function readPicked(sent: SentFields, members: Members, desk: Desk): Promise<ReadonlyMap<string, Picked>> {
  const references = Object.entries(members).flatMap(([param, { kind }]) => {
    const text = kind.refersTo === undefined ? undefined : textIn(sent, param)
    return kind.refersTo === undefined || text === undefined
      ? []
      : [{ param, text, to: resourceNamed(desk.schema, kind.refersTo) }]
  })
  const picked = await Promise.all(
    references.map(async ({ param, text, to }) => [param, await readOne(text, to, desk)] as const),
  )
  return new Map(picked)
}

/** The things that a thing refers to, as its forms show them. */
export function readReferred(
  resource: Resource,
  thing: { readonly [field: string]: unknown },
  desk: Desk,
): Promise<ReadonlyMap<string, Picked>> {
  const references = referringFields(resource).flatMap(({ field }) =>
    (thing[field] ?? null) === null ? [] : [[field, String(thing[field])] as const],
  )
  return readPicked(new Map(references), membersToCreate(resource), desk)
}

/** Those that there are, by field. */
export const chosenIn = (picked: ReadonlyMap<string, Picked>): ReadonlyMap<string, PickedThing> =>
  new Map([...picked].flatMap(([field, { chosen }]) => (chosen ? [[field, chosen] as const] : [])))

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

/** The ids of the things that words match; none for an id. */
export async function readFound(text: string, resource: Resource, desk: Desk): Promise<readonly string[]> {
  const { found } = await readOne(text, resource, desk)
  return (found?.things ?? []).map(({ value }) => value)
}

const nothing: Picked = { found: { things: [], hasMore: false } }

const shownIn = (json: string): Thing => JSON.parse(json) as Thing
