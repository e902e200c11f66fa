import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { isDeleted } from '../../model/schema/resources.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { type Match, readWords, SEARCH } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { fault } from '../../values/faults/fault.ts'
import { fold } from '../../values/fold.ts'
import { type Problem, wrongParameter } from '../contract/problems/problem.ts'
import { nearText, type Searcher, searchedBy } from './near-text.ts'
import { searchOptionsOf } from './read-page.ts'

/** The most things of one kind that are shown. */
export const MOST_OF_EACH = 20
/** The number of latest things of one kind from which the best are chosen. */
const RANKED = 60

/** A found thing, and how well it matches. */
export interface FoundThing {
  readonly type: string
  readonly id: Key
  readonly name: string
  readonly match: Match
  /** Null for a person. */
  readonly updatedAt: string | null
  readonly href: string
}

export interface FoundThings {
  readonly found: readonly FoundThing[]
  /** The things themselves, for callers who show more of them. */
  readonly documents: ReadonlyMap<FoundThing, DataObject>
  /** A text one edit away that finds something, if nothing was found. */
  readonly didYouMean?: string
}

/** A found thing with its document, and the order among others. */
interface Ranked {
  readonly found: FoundThing
  readonly document: DataObject
  readonly rank: number
}

/**
 * Things of every kind that has searched fields and that the caller may read, and people, best first. decisions/0029
 */
export async function searchThings(
  text: string | undefined,
  call: Searcher,
): Promise<FoundThings | { readonly problem: Problem }> {
  const words = text === undefined ? fault('required', { wants: 'value' }) : readWords(text)
  if ('fault' in words) return { problem: wrongParameter(SEARCH, words.fault) }
  const sought = text ?? ''
  const [people, ...things] = await Promise.all([
    searchPeople(words, sought, call),
    ...searchedBy(call).map((resource) => searchIn(resource, sought, call)),
  ])
  const ranked = [...things.flat(), ...people].toSorted(compareRanked)
  const documents = new Map(ranked.map(({ found, document }) => [found, document]))
  const didYouMean = ranked.length === 0 ? await nearText(sought, words, call) : undefined
  return { found: [...documents.keys()], documents, ...(didYouMean !== undefined && { didYouMean }) }
}

/** The people in whose names every word occurs: they are few, and known already. */
async function searchPeople(words: readonly string[], text: string, { service }: Searcher): Promise<readonly Ranked[]> {
  await service.roster.look()
  const sought = fold(text.trim())
  return service.roster.people
    .flatMap(({ name, fullName }): readonly Ranked[] => {
      const texts = [fullName ?? name, name].map(fold)
      if (!words.every((word) => texts.some((each) => each.includes(word)))) return []
      const [match, rank] = rankOf(texts, [], sought)
      const shown = { type: 'person', id: name, name: fullName ?? name, match, updatedAt: null }
      return [{ found: { ...shown, href: service.addresses.person(name) }, document: { name, fullName }, rank }]
    })
    .toSorted(compareRanked)
    .slice(0, MOST_OF_EACH)
}

/** The best of one kind. An id or a number finds its thing, whatever else does. */
async function searchIn(resource: Resource, text: string, call: Searcher): Promise<readonly Ranked[]> {
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
  const sought = fold(text.trim())
  const all = [...things.values()].map((thing): Ranked => {
    const [match, rank] = named.some(({ id }) => id === thing.id) ? BY_ID : matchOf(collection, thing, sought)
    const found = {
      type: resource.name,
      id: thing.id as Key,
      name: nameIn(thing),
      match,
      updatedAt: String(thing.updatedAt),
      href: call.service.addresses.thing(resource, thing.id as Key),
    }
    return { found, document: thing, rank }
  })
  return all.toSorted(compareRanked).slice(0, MOST_OF_EACH)
}

const nameIn = (thing: DataObject): string => String(thing.name ?? thing.title ?? thing.id)

const asksFor = (name: string, text: string): string => `${name}=${encodeURIComponent(text)}`

/**
 * A thing with this name is found even among many others, as those are whose names begin so; indexes have names as
 * written.
 */
function namedSo({ fields }: Collection, text: string): readonly string[] {
  if (!fields.get('name')?.indexed) return []
  return [`${asksFor('name.gte', text)}&${asksFor('name.lt', `${text}\u{10fffd}`)}&sort=name`]
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

function matchOf({ searched }: Collection, thing: DataObject, text: string): RankedMatch {
  const others = searched.flatMap(({ name }) => (typeof thing[name] === 'string' ? [fold(thing[name])] : []))
  return rankOf([fold(nameIn(thing))], others, text)
}

type RankedMatch = readonly [match: Match, rank: number]

const BY_ID: RankedMatch = ['id', 0]

/** Names come before other texts, each as a whole, then their beginnings, then their words; related texts come last. */
function rankOf(names: readonly string[], others: readonly string[], text: string): RankedMatch {
  const begins = (each: string): boolean => each.startsWith(text)
  if (names.includes(text)) return ['exact', 1]
  if (others.includes(text)) return ['exact', 2]
  if (names.some(begins)) return ['starts', 3]
  if (others.some(begins)) return ['starts', 4]
  if (names.some((each) => each.includes(` ${text}`))) return ['contains', 5]
  if (names.some((each) => each.includes(text))) return ['contains', 6]
  return ['contains', others.some((each) => each.includes(text)) ? 7 : 8]
}

/** The better match first; equal matches by their last change. */
function compareRanked(one: Ranked, other: Ranked): number {
  if (one.rank !== other.rank) return one.rank - other.rank
  const [before, after] = [one.found.updatedAt ?? '', other.found.updatedAt ?? '']
  return before === after ? 0 : before > after ? -1 : 1
}
