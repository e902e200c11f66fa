import { type RefusedCall, wrongParameter } from '../../http/contract/problems/problem.ts'
import type { Collection } from '../../queries/collection.ts'
import { searchFilter } from '../../queries/dialects/search.ts'
import { anyOf } from '../../queries/expressions/combine.ts'
import { tooDeep } from '../../queries/expressions/scanner.ts'
import { searchFault } from '../../queries/like-pattern.ts'
import type { Filter } from '../../queries/query.ts'
import { queryBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { fold } from '../../values/fold.ts'

const tokens = /"(?:[^"\\]|\\["\\])*"|[()]|[^\s()"]+/g

interface SearchReader {
  readonly collection: Collection
  readonly tokens: readonly string[]
  at: number
}

/** `$search`: words and "phrases" with AND (or nothing between them), OR, NOT and parentheses. They fold as in `q`. */
export function readSearch(collection: Collection, text: string): { readonly filter: Filter } | RefusedCall {
  if (collection.searched.length === 0) return wrong(reason('unsupported', { wants: 'searched', of: collection.name }))
  const bad = searchFault(text)
  if (bad !== undefined) return wrong(bad)
  const found = tokensIn(text)
  if (found === undefined) return wrong(reason('expected', { wants: 'closing-quote', sign: '"' }))
  if (found.length === 0) return wrong(reason('required', { wants: 'value' }))
  if (found.filter((each) => each === 'NOT' || each === '(').length > queryBounds.depth) {
    return wrong(tooDeep)
  }
  if (found.filter((each) => !words.has(each)).length > queryBounds.words)
    return wrong(reason('too-many-words', { max: queryBounds.words }))
  const search: SearchReader = { collection, tokens: found, at: 0 }
  const filter = readAlternatives(search)
  return filter === undefined || search.at < found.length ? wrong(reason('malformed', { wants: 'search' })) : { filter }
}

const words: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', '(', ')'])

/** Undefined if a quote is not closed. */
const tokensIn = (text: string): readonly string[] | undefined =>
  text.replaceAll(tokens, '').includes('"') ? undefined : (text.match(tokens) ?? [])

function readAlternatives(search: SearchReader): Filter | undefined {
  const filters: Filter[] = []
  do {
    const filter = readAll(search)
    if (filter === undefined) return undefined
    filters.push(filter)
  } while (take(search, 'OR'))
  return filters.length === 1 ? filters[0] : anyOf(filters)
}

function readAll(search: SearchReader): Filter | undefined {
  const all: Filter[] = []
  do {
    const filter = readOne(search)
    if (filter === undefined) return undefined
    all.push(filter)
  } while (take(search, 'AND') || !isOver(search))
  return all.flat()
}

const isOver = ({ tokens: all, at }: SearchReader): boolean =>
  all[at] === undefined || all[at] === ')' || all[at] === 'OR'

function readOne(search: SearchReader): Filter | undefined {
  if (take(search, 'NOT')) {
    const filter = readOne(search)
    return filter && [{ any: [filter], negated: true }]
  }
  if (take(search, '(')) {
    const filter = readAlternatives(search)
    return take(search, ')') ? filter : undefined
  }
  const token = search.tokens[search.at]
  if (token === undefined || words.has(token)) return undefined
  search.at++
  const word = fold(token.startsWith('"') ? token.slice(1, -1).replaceAll(/\\(.)/g, '$1') : token).trim()
  return word === '' ? undefined : searchFilter(search.collection, [word])
}

function take(search: SearchReader, token: string): boolean {
  if (search.tokens[search.at] !== token) return false
  search.at++
  return true
}

const wrong = (why: Reason): RefusedCall => ({ problem: wrongParameter('$search', why) })
