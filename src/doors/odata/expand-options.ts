import type { Relation } from '../../model/schema/resources.ts'
import { parseQuery, type QueryOptions } from '../../queries/parse/parse-query.ts'
import { type QueryString, queryOf } from '../../queries/query-string.ts'
import { answerBounds } from '../../values/bounds.ts'
import { fault, reason } from '../../values/faults/fault.ts'
import type { Read } from '../../values/kinds/kind.ts'
import { boolean } from '../../values/kinds/number.ts'
import type { RelatedList } from '../kit/related-lists.ts'
import { unknownName, wholeNumber } from '../kit/settings.ts'
import { readOrder, readSelect } from './member-options.ts'
import { type EntitySet, setOf } from './model/entity-sets.ts'
import { navigationIn } from './place.ts'
import { readSearch } from './search-expression.ts'

/** A navigation that is shown in each entity, with its options (OData URL Conventions 4.01 §5.1.3). */
export interface Expanded extends RelatedList {
  readonly select?: readonly string[]
  readonly expand: readonly Expanded[]
  /** The number of entities to show, and of those before them. */
  readonly top?: number
  readonly skip: number
  readonly count: boolean
  /** The options that the next address of the navigation needs. */
  readonly further: readonly string[]
}

/** `customer`, `customer($select=name)`, `deals($filter=held;$orderby=price;$expand=tasks)`, `*`. */
export function readExpand(set: EntitySet, text: string, level = 1): Read<readonly Expanded[]> {
  const { relations } = set.collection
  const found = new Map<Relation, Expanded>()
  for (const item of text.trim() === '*' ? relations.keys() : splitAt(',', text)) {
    const [, name = '', within] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(item) ?? []
    const relation = navigationIn(set, name)
    if (relation === undefined)
      return { fault: unknownName('navigation property', name || item.trim(), relations.keys()) }
    if (found.has(relation)) return fault('repeated', { name: relation.name })
    if (level > answerBounds.nested) return fault('too-deep', { max: answerBounds.nested })
    const read = readWithin(relation, within, level)
    if ('fault' in read) return read
    found.set(relation, read.value)
  }
  return { value: [...found.values()] }
}

const ofMany = ['filter', 'orderby', 'search', 'top', 'skip', 'count'] as const
const ofEach = ['select', 'expand'] as const
type ExpandOption = (typeof ofMany)[number] | (typeof ofEach)[number]

function readWithin(relation: Relation, within: string | undefined, level: number): Read<Expanded> {
  const known: readonly ExpandOption[] = relation.kind === 'many' ? [...ofEach, ...ofMany] : ofEach
  const texts = new Map<ExpandOption, string>()
  for (const option of within === undefined ? [] : splitAt(';', within)) {
    const [, written = '', text = ''] = /^\s*\$?(\w+)\s*=(.*)$/s.exec(option) ?? []
    const name = known.find((each) => each === written.toLowerCase())
    if (name === undefined) return { fault: unknownName('option', written || option.trim(), known) }
    if (texts.has(name)) return fault('repeated', { name: `$${name}` })
    texts.set(name, text)
  }
  return expandedBy(relation, texts, level)
}

function expandedBy(relation: Relation, texts: ReadonlyMap<ExpandOption, string>, level: number): Read<Expanded> {
  const set = setOf(relation.of)
  const read = <T>(name: ExpandOption, reader: (text: string) => Read<T>): Read<T | undefined> => {
    const text = texts.get(name)
    return text === undefined ? { value: undefined } : reader(text)
  }
  const select = read('select', (text) => readSelect(set, text))
  if ('fault' in select) return select
  const expand = read('expand', (text) => readExpand(set, text, level + 1))
  if ('fault' in expand) return expand
  const top = read('top', wholeNumber)
  if ('fault' in top) return top
  const skip = read('skip', wholeNumber)
  if ('fault' in skip) return skip
  const count = read('count', boolean.readText)
  if ('fault' in count) return count
  const list = listBy(set, texts, { top: top.value, skip: skip.value ?? 0, count: count.value === true })
  if ('fault' in list) return list
  return {
    value: {
      relation,
      expand: expand.value ?? [],
      ...(select.value && { select: select.value }),
      ...list.value,
    },
  }
}

type ListPart = Pick<Expanded, 'query' | 'options' | 'top' | 'skip' | 'count' | 'further'>

/** The query of the navigation's entities, unless they are the latest. */
function listBy(
  { collection }: EntitySet,
  texts: ReadonlyMap<ExpandOption, string>,
  { top, skip, count }: { readonly top: number | undefined; readonly skip: number; readonly count: boolean },
): Read<ListPart> {
  const further = (['select', 'expand', 'filter', 'search'] as const).flatMap((name) => {
    const text = texts.get(name)
    return text === undefined ? [] : [`$${name}=${encodeURIComponent(text)}`]
  })
  const order = texts.get('orderby') ?? LATEST
  const part = { skip, count, further: [...further, `$orderby=${encodeURIComponent(order)}`] }
  if (!ofMany.some((name) => texts.has(name))) return { value: part }
  const search = texts.get('search')
  const conditions = search === undefined ? undefined : readSearch(collection, search)
  if (conditions !== undefined && 'problem' in conditions)
    return { fault: conditions.problem.errors?.[0] ?? reason('malformed', { wants: 'search' }) }
  const sort = readOrder(collection, order)
  if ('fault' in sort) return sort
  const options: QueryOptions = { sort: sort.value, ...(conditions && { conditions: conditions.filter }) }
  const query = queryFor(texts.get('filter'), { top, skip, count })
  const parsed = parseQuery(collection, query, options)
  if ('faults' in parsed) return { fault: parsed.faults[0] ?? reason('malformed', { wants: 'search' }) }
  return { value: { ...part, ...(top !== undefined && { top }), query, options } }
}

/** The order of expanded things: the latest first. */
const LATEST = 'id desc'

const queryFor = (
  filter: string | undefined,
  { top, skip, count }: { readonly top: number | undefined; readonly skip: number; readonly count: boolean },
): QueryString =>
  queryOf([
    ...(filter === undefined ? [] : ([['$filter', filter]] as const)),
    ['$skip', String(skip)],
    ['$top', String(Math.max(1, Math.min(top ?? answerBounds.related, answerBounds.related)))],
    ...(count ? ([['$count', 'true']] as const) : []),
  ])

/** The parts between signs that are in no parentheses and no text. */
function splitAt(sign: string, text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let isQuoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === sign && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/** The largest page of entities that show others. */
export const largestPageWith = (expand: readonly Expanded[]): number =>
  showsMany(expand) ? answerBounds.related : Number.POSITIVE_INFINITY

const showsMany = (expand: readonly Expanded[]): boolean =>
  expand.some((each) => each.relation.kind === 'many' || showsMany(each.expand))

/** The members that `$select` and `$expand` leave, in the spelling of a context. */
export function shownIn({ select, expand }: Pick<Expanded, 'select' | 'expand'>): string {
  const names = [
    ...(select ?? []).map((name) => name.replace('.', '/')),
    ...expand.map((each) => `${each.relation.name}${shownIn(each) || '()'}`),
  ]
  return names.length === 0 ? '' : `(${names.join()})`
}
