import { GraphQLBoolean, type GraphQLFieldConfig, GraphQLInt, GraphQLObjectType, GraphQLString } from 'graphql'
import { type Problem, parameterProblem, placedAnew } from '../../../http/contract/problems/problem.ts'
import { readQueryMembers } from '../../../http/request/query-body.ts'
import type { Collection } from '../../../queries/collection.ts'
import { writeCursor } from '../../../queries/cursor.ts'
import { FILTER } from '../../../queries/dialects/json-filter.ts'
import { SEARCH } from '../../../queries/dialects/search.ts'
import type { SortTerm, Value } from '../../../queries/query.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { inTurns, mapInTurns } from '../../../store/port/take-turns.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { asText } from '../../../values/json/exact-numbers.ts'
import { joint, readFilter } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import type { DoorCall } from '../../door.ts'
import { type ListPage, readList } from '../../kit/reads.ts'
import { type GraphqlContext, problemError } from './context.ts'
import { page, scan } from './costs.ts'
import { filterType, jsonFilterOf } from './filters.ts'
import { listOf, needed } from './kind-types.ts'
import { readThingDocument } from './related.ts'

/** A page of things, whose total is counted if it is selected. */
export interface RelayConnection {
  readonly collection: Collection
  readonly sort: readonly SortTerm[]
  readonly nodes: readonly DataObject[]
  readonly hasMore: boolean
  readonly hasLess: boolean
  readonly total: () => Promise<number | Error>
}

type ListArguments = { readonly [name: string]: unknown }

const text = { type: GraphQLString }

/** The arguments that select the things of a list. */
export const choosing = (collection: Collection) => ({
  where: { type: filterType(collection) },
  ...(collection.searched.length > 0 && { search: { ...text, description: 'Every word must occur.' } }),
})

/** `deals(first, after, last, before, where, orderBy, search)` */
export const listField = (
  collection: Collection,
  type: GraphQLObjectType,
): GraphQLFieldConfig<unknown, GraphqlContext> => ({
  type,
  description: `A page of ${collection.name}.`,
  args: {
    ...{ first: { type: GraphQLInt }, after: text, last: { type: GraphQLInt }, before: text },
    ...choosing(collection),
    orderBy: { ...text, description: 'As in sort, such as -updatedAt,name.' },
  },
  extensions: { estimate: page },
  resolve: (_source, args, { call }) => connect(collection, args, call),
})

export async function connect(
  collection: Collection,
  args: ListArguments,
  call: DoorCall,
): Promise<RelayConnection | Error> {
  const faults = [...negativeIn(args), ...misplacedIn(args)]
  if (faults.length > 0) return problemError(parameterProblem(faults))
  const total = () => countOf(collection, chosenBy(collection, args), call)
  const read = await readWanted(collection, args, call)
  if (read instanceof Error) return read
  const { sort } = read.query
  const { hasMore, hasLess, items } = read.page
  if (sizeIn(args) !== 0) {
    const nodes = await mapInTurns(items, readThingDocument)
    return { collection, sort, nodes, hasMore, hasLess, total }
  }
  // The item that was read although none is wanted is beyond the page.
  const isBeyond = items.length > 0
  const ends = args.first === 0 ? { hasMore: isBeyond, hasLess } : { hasMore, hasLess: hasLess || isBeyond }
  return { collection, sort, nodes: [], ...ends, total }
}

const sizeIn = ({ first, last }: ListArguments): unknown => first ?? last

async function readWanted(collection: Collection, args: ListArguments, call: DoorCall): Promise<ListPage | Error> {
  const { last, after, before, orderBy } = args
  const size = sizeIn(args)
  const isEnd = typeof last === 'number' && (before ?? null) === null
  const chosen = chosenBy(collection, args)
  const total = isEnd ? await countOf(collection, chosen, call) : 0
  if (total instanceof Error) return total
  const place = isEnd ? { offset: Math.max(0, total - last) } : { after, before }
  return readAs(collection, { ...chosen, sort: orderBy, limit: size === 0 ? 1 : size, ...place }, call)
}

/** The number of things, or of groups of them. */
export async function countOf(collection: Collection, asked: ListArguments, call: DoorCall): Promise<number | Error> {
  const counted = await readAs(collection, { ...asked, count: 'exact', limit: 1 }, call)
  return counted instanceof Error ? counted : (counted.page.total ?? 0)
}

export const chosenBy = (collection: Collection, { where, search }: ListArguments): ListArguments => ({
  ...(where !== undefined && where !== null && { [FILTER]: jsonFilterOf(collection, where) }),
  [SEARCH]: search,
})

/** A page, requested as in the content of a QUERY. */
export async function readAs(
  collection: Collection,
  members: ListArguments,
  call: DoorCall,
): Promise<ListPage | Error> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  const asked = readQueryMembers(Object.fromEntries(given), call.schema)
  const read = 'problem' in asked ? asked : await readList(collection, asked.query, call)
  return 'problem' in read ? problemError(inTheseWords(read.problem)) : read
}

/** The client's arguments for settings that a query names differently. */
const words: ReadonlyMap<string, string> = new Map([
  [FILTER, 'where'],
  [SEARCH, 'search'],
  ['sort', 'orderBy'],
  ['limit', 'first'],
])

const inTheseWords = (problem: Problem): Problem =>
  placedAnew(problem, (at) => {
    const [, name, ...rest] = at.pointer?.split('/') ?? []
    return name === undefined ? at : { ...at, pointer: ['', words.get(name) ?? name, ...rest].join('/') }
  })

const negativeIn = ({ first, last }: ListArguments): readonly Fault[] =>
  Object.entries({ first, last })
    .filter(([, size]) => typeof size === 'number' && size < 0)
    .map(([parameter]) => ({ ...NEGATIVE, at: { parameter } }))

export const NEGATIVE = reason('malformed', { wants: 'integer-from', min: 0 })

function misplacedIn({ first, last, after, before }: ListArguments): readonly Fault[] {
  const given = (value: unknown): boolean => value !== undefined && value !== null
  const pairs = [
    ['last', 'first', given(last) && given(first)],
    ['before', 'first', given(before) && given(first)],
    ['after', 'last', given(after) && given(last)],
    ['before', 'after', given(before) && given(after)],
  ] as const
  return pairs
    .filter(([, , both]) => both)
    .map(([parameter, other]) => ({ ...reason('not-together', { other, wants: 'ends' }), at: { parameter } }))
}

/** The types of a Relay connection. */
export function connectionType(collection: Collection, node: GraphQLObjectType): GraphQLObjectType {
  const name = pascalCase(collection.item)
  const edge = new GraphQLObjectType<Edge>({
    name: `${name}Edge`,
    fields: {
      cursor: { type: needed(GraphQLString), resolve: ({ node, of }) => cursorOf(of, node) },
      node: { type: needed(node) },
    },
  })
  return new GraphQLObjectType<RelayConnection, GraphqlContext>({
    name: `${name}Connection`,
    fields: {
      edges: {
        type: needed(listOf(edge)),
        extensions: { isEach: true },
        resolve: (of, _args, { turn }) =>
          inTurns(
            of.nodes.values().map((node): Edge => ({ node, of })),
            turn,
          ),
      },
      nodes: listInTurns(node),
      pageInfo: { type: needed(PageInfo), resolve: (of) => of },
      totalCount,
    },
  })
}

/** A list that may be long. */
export const listInTurns = (
  node: GraphQLObjectType,
): GraphQLFieldConfig<{ readonly nodes: readonly DataObject[] }, GraphqlContext> => ({
  type: needed(listOf(node)),
  extensions: { isEach: true },
  resolve: ({ nodes }, _args, { turn }) => inTurns(nodes, turn),
})

interface Edge {
  readonly node: DataObject
  readonly of: RelayConnection
}

/** Counted if it is selected. */
export const totalCount: GraphQLFieldConfig<Pick<RelayConnection, 'total'>, unknown> = {
  type: needed(GraphQLInt),
  extensions: { estimate: scan },
  resolve: ({ total }) => total(),
}

const PageInfo = new GraphQLObjectType<RelayConnection>({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: needed(GraphQLBoolean), resolve: ({ hasMore }) => hasMore },
    hasPreviousPage: { type: needed(GraphQLBoolean), resolve: ({ hasLess }) => hasLess },
    startCursor: { type: GraphQLString, resolve: (of) => of.nodes[0] && cursorOf(of, of.nodes[0]) },
    endCursor: { type: GraphQLString, resolve: (of) => of.nodes.at(-1) && cursorOf(of, of.nodes.at(-1) ?? {}) },
  },
})

const cursorOf = ({ collection, sort }: RelayConnection, node: DataObject): string =>
  writeCursor(
    collection,
    sort,
    sort.map(({ field }) => valueIn(node, field)),
  )

/** The value of a field in the store: amounts are integers there. */
function valueIn(node: DataObject, { name, kind }: SortTerm['field']): Value {
  const shown = node[name] ?? null
  if (kind.within !== undefined) return joint(node[kind.within.field], shown)
  if (kind.name !== 'amount' || shown === null) return shown as Value
  const read = readFilter(kind, asText(shown))
  return 'value' in read ? (read.value as Value) : null
}
