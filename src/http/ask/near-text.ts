import type { Resource } from '../../model/declaration/schema.ts'
import { mayRead } from '../../model/intent/caller.ts'
import { collectionOf } from '../../queries/collections.ts'
import { searchFilter } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { SearchTooCostly } from '../../store/port/store.ts'
import { fold } from '../../values/fold.ts'
import type { Call } from '../contract/endpoint.ts'
import { type PageReader, searchOptionsOf } from './read-page.ts'

/** The searching caller. */
export type Searcher = PageReader & Pick<Call, 'service' | 'schema' | 'role'>

/** The resources that the caller may search. */
export const searchedBy = (call: Pick<Searcher, 'schema' | 'role'>): readonly Resource[] =>
  call.schema.resources.filter((resource) => collectionOf(resource).searched.length > 0 && mayRead(call, resource))

/** Shorter words have too many neighbours. */
const SHORTEST = 4
/** The most things of a kind that are read for a part of a word. */
const READ = 100

/**
 * A text that finds something, one edit away from a text that finds nothing: with one word replaced by one that occurs.
 * Only such a text costs this.
 */
export async function nearText(text: string, words: readonly string[], call: Searcher): Promise<string | undefined> {
  try {
    const [wrong, another] = await unknownWords(words, call)
    if (wrong === undefined || another !== undefined || wrong.length < SHORTEST || /\d/.test(wrong)) return undefined
    const others = words.filter((word) => word !== wrong)
    const meant = await nearWord(wrong, others, call)
    return (
      meant &&
      text
        .trim()
        .split(/\s+/u)
        .map((word) => (fold(word) === wrong ? meant : word))
        .join(' ')
    )
  } catch (cause) {
    if (cause instanceof SearchTooCostly) return undefined
    throw cause
  }
}

/** The words that nothing has. All of them together find nothing: a single one is known to be such a word. */
async function unknownWords(words: readonly string[], call: Searcher): Promise<readonly string[]> {
  if (words.length === 1) return words
  const counts = await Promise.all(words.map(async (word) => (await thingsWith([word], 1, call)).length))
  return words.filter((_, at) => counts[at] === 0)
}

/** The most frequent word one edit away, in things that have the other words too. */
async function nearWord(wrong: string, others: readonly string[], call: Searcher): Promise<string | undefined> {
  for (const alternatives of searchedParts(wrong)) {
    const found = await Promise.all(alternatives.map((parts) => thingsWith([...parts, ...others], READ, call)))
    const written = Map.groupBy(found.flat().flatMap(wordsIn), (word) => word)
    const near = Map.groupBy(
      [...written].filter(([word]) => isOneEditAway(fold(word), wrong)),
      ([word]) => fold(word),
    )
    const times = (spellings: readonly (readonly [string, readonly string[]])[]): number =>
      spellings.reduce((sum, [, each]) => sum + each.length, 0)
    const [best] = [...near].toSorted(([a, one], [b, other]) => times(other) - times(one) || (a < b ? -1 : 1))
    if (best !== undefined) return best[1][0]?.[0]
  }
  return undefined
}

/** Whether an insertion, a deletion, a replacement or a swap of neighbours makes one word of another. */
export function isOneEditAway(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1)
  if (short.slice(from + 1) === long.slice(from + 1)) return true
  return (
    short[from] === long[from + 1] && short[from + 1] === long[from] && short.slice(from + 2) === long.slice(from + 2)
  )
}

/**
 * The parts of a word that are looked for, one list after the other: an edit leaves some of them as they are. An edit in
 * one half leaves the other half, and one in the middle both ends. Parts of three letters are found by the index;
 * shorter ones occur nearly everywhere, so they are looked for last, or together.
 */
export function searchedParts(word: string): readonly (readonly (readonly string[])[])[] {
  const letters = Array.from(word)
  const cut = (from: number, to = letters.length): string => letters.slice(from, to).join('')
  const size = Math.max(3, Math.ceil(letters.length / 2))
  const end = Math.floor(letters.length / 2)
  const swaps = [end - 1, letters.length - end - 1].map((at) =>
    letters.toSpliced(at, 2, letters[at + 1] ?? '', letters[at] ?? '').join(''),
  )
  const halves = [[cut(0, size)], [cut(letters.length - size)]]
  const ends = [[cut(0, end), cut(letters.length - end)], ...[...new Set(swaps)].map((swapped) => [swapped])]
  return letters.length === SHORTEST ? [halves, ends, [[cut(0, 2)], [cut(2)]]] : [halves, ends]
}

async function thingsWith(words: readonly string[], most: number, call: Searcher): Promise<readonly ThingTexts[]> {
  const pages = await Promise.all(
    searchedBy(call).map(async (resource) => {
      const collection = collectionOf(resource)
      const parsed = parseQuery(collection, `maxpagesize=${most}`)
      if ('faults' in parsed) return []
      const query = { ...parsed.query, filter: [...parsed.query.filter, ...searchFilter(collection, words)] }
      const { items } = await call.desk.page(collection, [], query, searchOptionsOf(query, call))
      return items
        .map(readDocument)
        .filter(isDataObject)
        .map((thing) =>
          textsIn(
            thing,
            collection.searched.map(({ name }) => name),
          ),
        )
    }),
  )
  return [...pages.flat(), ...peopleWith(words, call)]
}

type ThingTexts = readonly string[]

const textsIn = (thing: DataObject, fields: readonly string[]): ThingTexts =>
  fields.flatMap((name) => (typeof thing[name] === 'string' ? [thing[name]] : []))

const peopleWith = (words: readonly string[], { service }: Searcher): readonly ThingTexts[] =>
  service.roster.people
    .map(({ name, fullName }) => [name, fullName ?? ''])
    .filter((texts) => words.every((word) => texts.some((each) => fold(each).includes(word))))

/** The different words of a thing. */
const wordsIn = (texts: ThingTexts): readonly string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[^\p{L}\p{N}\p{M}]+/u)).filter((word) => word !== '')),
]
