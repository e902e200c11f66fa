import { queryBounds } from '../../values/bounds.ts'
import { digitsSought } from '../../values/digits.ts'
import { fault, type Reason } from '../../values/faults/fault.ts'
import { fold } from '../../values/fold.ts'
import type { Collection, CollectionField } from '../collection.ts'
import { containing, NOTHING, searchFault } from '../like-pattern.ts'
import type { Filter, Tree } from '../query.ts'
import { needsValue } from '../query-string.ts'
import type { Dialect } from './dialect.ts'

export const SEARCH = 'q'

/** How well a thing matches, the best first. */
export const matches = ['id', 'exact', 'starts', 'contains'] as const
export type Match = (typeof matches)[number]

/** `q=ann ruiz`: every word must occur in one of the searched fields. */
export const search: Dialect = {
  name: 'search',
  note: ({ searched, dialled }) =>
    searched.length === 0
      ? ''
      : `\`${SEARCH}\` searches ${searched.map(({ name }) => name).join(', ')}: every word, of ${queryBounds.words} at most in ${queryBounds.search} characters, must occur in one of them as any part of the text, whatever its case, accents or width.${dialled.length === 0 ? '' : ` A word of five or more digits is compared with the digits of ${dialled.map(([{ name }]) => name).join(', ')}, whatever separates them.`}`,
  read(collection, { name, value }) {
    if (name !== SEARCH || collection.searched.length === 0) return undefined
    if (value === undefined) return needsValue
    const words = readWords(value)
    return 'fault' in words ? words : { any: [searchFilter(collection, words)], negated: false }
  },
  spell: () => [],
}

/** The folded words of a search, each once. */
export function readWords(text: string): readonly string[] | { readonly fault: Reason } {
  const bad = searchFault(text)
  if (bad !== undefined) return { fault: bad }
  const words = [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== '')
  if (words.length === 0) return { fault: NOTHING }
  return words.length > queryBounds.words ? fault('too-many-words', { max: queryBounds.words }) : words
}

export const searchFilter = ({ searched, dialled }: Collection, words: readonly string[]): Filter =>
  words.map((word): Tree => {
    const has = (field: CollectionField, part: string): Filter => [
      { field, operator: 'like', values: [containing(part)] },
    ]
    const digits = digitsSought(word)
    const inPhones =
      digits === undefined ? [] : dialled.flatMap(([phone, ofPhone]) => [has(phone, digits), has(ofPhone, digits)])
    return { any: [...searched.map((field) => has(field, word)), ...inPhones], negated: false, word }
  })
