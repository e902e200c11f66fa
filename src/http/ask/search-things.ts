import type { Key } from '../../model/resource.ts'
import { isDeleted } from '../../model/resources.ts'
import type { Resource } from '../../model/schema.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { type Match, matches, readWords, SEARCH } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { fault } from '../../values/faults/fault.ts'
import { fold } from '../../values/fold.ts'
import { mayDo } from '../../values/role.ts'
import type { Call } from '../contract/endpoint.ts'
import { type Problem, wrongParameter } from '../contract/problems/problem.ts'
import { type PageReader, searchOptionsOf } from './read-page.ts'

/** The most things of one kind that are shown. */
export const MOST_OF_EACH = 20
/** The number of latest things of one kind from which the best are chosen. */
const RANKED = 200

/** A found thing, and how well it matches. */
export interface FoundThing {
  readonly type: string
  readonly id: Key
  readonly name: string
  readonly match: Match
  readonly updatedAt: string
  readonly href: string
}

export interface FoundThings {
  readonly found: readonly FoundThing[]
  /** The things themselves, for callers who show more of them. */
  readonly documents: ReadonlyMap<FoundThing, DataObject>
}

/** The searching caller. */
type Searcher = PageReader & Pick<Call, 'service' | 'schema' | 'role'>

/** Things of every kind that has searched fields and that the caller may read, best first. decisions/0029 */
export async function searchThings(
  text: string | undefined,
  call: Searcher,
): Promise<FoundThings | { readonly problem: Problem }> {
  const words = text === undefined ? fault('required', { wants: 'value' }) : readWords(text)
  if ('fault' in words) return { problem: wrongParameter(SEARCH, words.fault) }
  const searched = call.schema.resources.filter(
    (resource) => collectionOf(resource).searched.length > 0 && mayDo(call, resource.roles.reads),
  )
  const found = await Promise.all(searched.map((resource) => searchIn(resource, text ?? '', call)))
  const documents = new Map(found.flatMap((each) => [...each]))
  return { found: [...documents.keys()].toSorted(compareFound), documents }
}

/** The best of one kind. An id or a number finds its thing, whatever else does. */
async function searchIn(
  resource: Resource,
  text: string,
  call: Searcher,
): Promise<ReadonlyMap<FoundThing, DataObject>> {
  const collection = collectionOf(resource)
  const named = await thingWithId(resource, text.trim(), call)
  const asked = [`${asksFor(SEARCH, text)}&sort=-${latest(collection)}`, ...namedSo(collection, text.trim())]
  const pages = await Promise.all(
    asked.map(async (filter) => {
      const parsed = parseQuery(collection, `${filter}&maxpagesize=${RANKED}`)
      if ('faults' in parsed) return []
      const { query } = parsed
      return (await call.desk.page(collection, [], query, searchOptionsOf(query, call))).items
    }),
  )
  const things = new Map(
    [...pages.flat().map(readDocument).filter(isDataObject), ...named].map((each) => [each.id, each]),
  )
  const all = [...things.values()].map((thing): readonly [FoundThing, DataObject] => {
    const isNamed = named.some(({ id }) => id === thing.id)
    const found = {
      type: resource.name,
      id: thing.id as Key,
      name: String(thing.name ?? thing.title ?? thing.id),
      match: isNamed ? 'id' : matchOf(collection, thing, fold(text.trim())),
      updatedAt: String(thing.updatedAt),
      href: call.service.addresses.thing(resource, thing.id as Key),
    } as const
    return [found, thing]
  })
  return new Map(all.toSorted(([one], [other]) => compareFound(one, other)).slice(0, MOST_OF_EACH))
}

const asksFor = (name: string, text: string): string => `${name}=${encodeURIComponent(text)}`

/** A thing with this name is found even among many others; indexes have names as written. */
function namedSo({ fields }: Collection, text: string): readonly string[] {
  if (!fields.get('name')?.indexed) return []
  return [asksFor('name', text), `${asksFor('name.gte', text)}&${asksFor('name.lt', `${text}\u{10fffd}`)}&sort=name`]
}

/** The indexed field that sorts the latest things. */
const latest = (collection: Collection): string =>
  collection.fields.has('updatedAt') && fieldOf(collection, 'updatedAt').indexed ? 'updatedAt' : collection.key

async function thingWithId(resource: Resource, text: string, call: Searcher): Promise<readonly DataObject[]> {
  const read = resource.kinds.id?.readText(text)
  if (read === undefined || 'fault' in read) return []
  const stored = await call.desk.find(resource, read.value as Key)
  if (stored === undefined || isDeleted(stored)) return []
  return [readDocument(stored.json)].filter(isDataObject)
}

function matchOf({ searched }: Collection, thing: DataObject, text: string): Match {
  const texts = searched.flatMap(({ name }) => (typeof thing[name] === 'string' ? [fold(thing[name])] : []))
  if (texts.includes(text)) return 'exact'
  return texts.some((each) => each.startsWith(text)) ? 'starts' : 'contains'
}

/** The better match first; equal matches by their last change. */
function compareFound(one: FoundThing, other: FoundThing): number {
  const better = matches.indexOf(one.match) - matches.indexOf(other.match)
  if (better !== 0) return better
  return one.updatedAt === other.updatedAt ? 0 : one.updatedAt > other.updatedAt ? -1 : 1
}
