import type { Resource } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { searchFilter } from '../../queries/dialects/search.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { SearchTooCostly } from '../../store/port/store.ts'
import { distance } from '../../values/faults/nearest.ts'
import { fold } from '../../values/fold.ts'
import { mayDo } from '../../values/role.ts'
import type { Call } from '../contract/endpoint.ts'
import { type PageReader, searchOptionsOf } from './read-page.ts'

/** The searching caller. */
export type Searcher = PageReader & Pick<Call, 'service' | 'schema' | 'role'>

/** The resources that the caller may search. */
export const searchedBy = (call: Pick<Searcher, 'schema' | 'role'>): readonly Resource[] =>
  call.schema.resources.filter(
    (resource) => collectionOf(resource).searched.length > 0 && mayDo(call, resource.roles.reads),
  )

/** Shorter words have too many neighbours. */
const SHORTEST = 4
/** The most things of a kind that are read for a part of a word. */
const READ = 300

/**
 * A text that finds something, one edit away from a text that finds nothing: with one word replaced by one that occurs.
 * Only such a text costs this. An edit leaves the beginning or the end of a word as it is, so things with these are read.
 */
export async function nearText(text: string, words: readonly string[], call: Searcher): Promise<string | undefined> {
  try {
    const counts = await Promise.all(words.map(async (word) => (await thingsWith([word], 1, call)).length))
    const [wrong, another] = words.filter((_, at) => counts[at] === 0)
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

/** The most frequent word one edit away, in things that have the other words too. */
async function nearWord(wrong: string, others: readonly string[], call: Searcher): Promise<string | undefined> {
  for (const parts of partsOf(wrong)) {
    const found = await Promise.all(parts.map((part) => thingsWith([part, ...others], READ, call)))
    const counts = new Map<string, { readonly written: string; readonly times: number }>()
    for (const word of found.flat().flatMap(wordsIn)) {
      const folded = fold(word)
      if (Math.abs(folded.length - wrong.length) > 1 || distance(folded, wrong) !== 1) continue
      const known = counts.get(folded)
      counts.set(folded, { written: known?.written ?? word, times: (known?.times ?? 0) + 1 })
    }
    const [best] = [...counts].toSorted(([a, one], [b, other]) => other.times - one.times || (a < b ? -1 : 1))
    if (best !== undefined) return best[1].written
  }
  return undefined
}

/** The halves of a word; then shorter ones and, for two letters that changed places in its middle, the other word. */
function partsOf(word: string): readonly (readonly string[])[] {
  const letters = Array.from(word)
  const half = Math.ceil(letters.length / 2)
  const less = Math.floor(letters.length / 2)
  const cut = (length: number): readonly string[] => [
    letters.slice(0, length).join(''),
    letters.slice(letters.length - length).join(''),
  ]
  const swapped = [less - 1, half - 1].map((at) =>
    letters.toSpliced(at, 2, letters[at + 1] ?? '', letters[at] ?? '').join(''),
  )
  return [cut(half), [...(less < half ? cut(less) : []), ...swapped]]
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
