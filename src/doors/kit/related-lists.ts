import { type ReferringItem, readRelated } from '../../http/ask/related.ts'
import { BeyondBudget, type Problem } from '../../http/contract/problems/problem.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Relation } from '../../model/schema/resources.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { QueryOptions } from '../../queries/parse/parse-query.ts'
import { noQuery, type QueryString, queryOf } from '../../queries/query-string.ts'
import { equals } from '../../queries/term.ts'
import { takeTurns } from '../../store/port/take-turns.ts'
import { answerBounds } from '../../values/bounds.ts'
import { unpacked } from '../../values/json/texts.ts'
import { type ListReader, readList } from './reads.ts'

/** Related things that are shown in each item of an answer. */
export interface RelatedList {
  readonly relation: Relation
  /** The query of each list, as in an address, in place of the latest things. */
  readonly query?: QueryString
  readonly options?: QueryOptions
}

export interface RelatedItems {
  readonly items: readonly string[]
  readonly hasMore: boolean
  readonly total?: number
}

const NOTHING: RelatedItems = { items: [], hasMore: false }

/**
 * Reads what is related to items, and shows it: all at once, so that further related things are read together too. What
 * many items share is read once and shown in each, so the size of the answer is checked before it is made.
 */
export async function readRelatedLists(
  list: RelatedList,
  items: readonly ReferringItem[],
  show: (things: readonly string[]) => Promise<readonly string[]>,
  call: ListReader,
): Promise<(item: ReferringItem) => RelatedItems> {
  const { relation } = list
  const keyOf = (item: ReferringItem): Key | null => item[relation.kind === 'one' ? relation.field : 'id'] ?? null
  const keys = [...new Set(items.map(keyOf))].filter((key) => key !== null)
  const found = await (isPlain(list) ? latest : relation.kind === 'one' ? those : separately)(list, keys, call)
  const all = [...found.values()].flatMap((each) => each.items)
  const texts = await show(all)
  const shown = new Map<string, RelatedItems>()
  let at = 0
  for (const [key, each] of found) {
    shown.set(key, { ...each, items: texts.slice(at, at + each.items.length) })
    at += each.items.length
  }
  const relatedTo = (item: ReferringItem): RelatedItems => shown.get(String(keyOf(item))) ?? NOTHING
  refuseTooLarge(items.map(relatedTo))
  return relatedTo
}

type FoundLists = ReadonlyMap<string, RelatedItems>

const isPlain = ({ query, options }: RelatedList): boolean => query === undefined && options === undefined

/** The things that items refer to, or the latest that refer to them, in one statement. */
async function latest({ relation }: RelatedList, keys: readonly Key[], call: ListReader): Promise<FoundLists> {
  const related = await readRelated(relation, keys, call)
  return new Map(
    [...related].map(([key, things]) => {
      const hasMore = things.length > answerBounds.related
      return [key, { items: things.slice(0, answerBounds.related), hasMore }]
    }),
  )
}

/** Of the things that items refer to, those that match. */
async function those(list: RelatedList, keys: readonly Key[], call: ListReader): Promise<FoundLists> {
  const collection = collectionOf(list.relation.of)
  const found = new Map<string, RelatedItems>()
  for (let from = 0; from < keys.length; from += answerBounds.page) {
    const values = keys.slice(from, from + answerBounds.page)
    const scope = [{ field: fieldOf(collection, 'id'), operator: 'eq', values } as const]
    const size = queryOf([['limit', String(answerBounds.page)]])
    const query = { ...size, parameters: [...(list.query ?? noQuery).parameters, ...size.parameters] }
    const read = await readList(collection, query, call, { ...list.options, scope })
    if ('problem' in read) throw new BeyondBudget(read.problem)
    for (const json of unpacked(read.page.items)) {
      found.set(String((JSON.parse(json) as { readonly id: Key }).id), { items: [json], hasMore: false })
    }
  }
  return found
}

/** A list of its own for each item: the store reads the latest of many in one statement, and no others. */
async function separately(list: RelatedList, keys: readonly Key[], call: ListReader): Promise<FoundLists> {
  const { relation, query = noQuery, options } = list
  const collection = collectionOf(relation.of)
  if (keys.length > answerBounds.lists) throw new BeyondBudget(tooManyLists)
  const found = new Map<string, RelatedItems>()
  const turn = takeTurns()
  for (const key of keys) {
    await turn()
    const scope = [equals(collection, relation.field, key)]
    const read = await readList(collection, query, call, { ...options, scope, most: answerBounds.related })
    if ('problem' in read) throw new BeyondBudget(read.problem)
    const { items, hasMore, total } = read.page
    found.set(String(key), { items: unpacked(items), hasMore, ...(total !== undefined && { total }) })
  }
  return found
}

function refuseTooLarge(lists: readonly RelatedItems[]): void {
  let size = 0
  for (const { items } of lists) for (const text of items) size += text.length
  if (size > answerBounds.answered) throw new BeyondBudget(tooLarge)
}

const tooManyLists: Problem = {
  code: 'query-too-large',
  detail: `Related things with a filter, an order or a limit are shown for at most ${answerBounds.lists} things at once.`,
}

const tooLarge: Problem = {
  code: 'query-too-large',
  detail: `The answer would have more than ${answerBounds.answered / 1e6} MB; ask for fewer things at once, or for fewer of their members.`,
}
