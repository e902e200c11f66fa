import { pick, type Random } from '../src/demo/random.ts'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { type Collection, filterable } from '../src/queries/collection.ts'
import { collectionNamed, collectionOf } from '../src/queries/collections.ts'
import { keysOf, measuresOf } from '../src/queries/members/groups.ts'
import { representations } from '../src/representations/representations.ts'
import { endpointsOf } from '../src/service/endpoints.ts'
import { aBody, type DrawnRequest, JSON_TYPE, post } from './drawn-bodies.ts'

/** Things that are there, by the name of their resource: a request names one where it needs one. */
export type KnownIds = ReadonlyMap<string, string>

const schema = buildSchema()
const { resources } = schema
const endpoints = endpointsOf(schema)
const sizes = [1, 50, 1000] as const
const words = ['a', 'e', 'example', 'delivery', 'größer', 'qqxxzz', 'spring fair', '1'] as const

/** Draws a request of some door, collection, dialect, format and size, as the declarations have them. */
export function drawRequest(random: Random, ids: KnownIds): DrawnRequest {
  const draw = pick(kinds, random)
  return draw(random, ids)
}

const get = (what: string, path: string, headers: Record<string, string> = {}): DrawnRequest => ({
  ...{ what, method: 'GET', path, headers },
})

/** The lists: their addresses with their collections. */
const lists = [
  ...resources.map(({ path, plural }) => ({ path, collection: collectionNamed(schema, plural) })),
  { path: '/events', collection: collectionNamed(schema, 'events') },
  { path: '/rest/commands', collection: collectionNamed(schema, 'commands') },
]

const some = <T>(all: readonly T[], most: number, random: Random): readonly T[] =>
  Array.from({ length: 1 + random(most) }, () => pick(all, random))

const valueFor = (kind: string, random: Random): string => {
  if (kind.includes('instant')) return '2024-06-01T00:00:00.000Z'
  if (kind.includes('date')) return '2025-01-01'
  if (kind.includes('boolean')) return String(random(2) === 0)
  return /integer|amount|ordinal/.test(kind) ? String(random(200)) : encodeURIComponent(pick(words, random))
}

function filterOn(collection: Collection, random: Random): string {
  const { name, kind } = pick(filterable(collection), random)
  const value = valueFor(kind.name, random)
  const text = encodeURIComponent(pick(words, random))
  return pick(
    [
      `${name}=${value}`,
      `${name}.ne=${value}`,
      `${name}.gte=${value}`,
      `${name}[lte]=${value}`,
      `${name}.contains=${text}`,
      `${name}.starts=${text}`,
      `${name}.regex=${encodeURIComponent(pick(['.*e.*e', 'b.{99}[xyz]', '(a|e)+$', '^x'], random))}`,
      `or=(${name}.eq.${value},${name}.is.null)`,
      `not.and=(${name}.gte.${value})`,
      `$filter=${encodeURIComponent(`contains(${name},'${pick(words, random)}') or ${name} ne null`)}`,
      `q=${text}`,
    ],
    random,
  )
}

/** A page of a list, filtered, sorted, expanded, in some format. */
const aList = (random: Random): DrawnRequest => {
  const { path, collection } = pick(lists, random)
  const format = pick(representations, random).name
  const fields = [...collection.fields.values()].filter(({ hidden }) => !hidden)
  const parts = [`maxpagesize=${pick(sizes, random)}`]
  if (random(2) === 0) parts.push(...some([filterOn(collection, random), filterOn(collection, random)], 2, random))
  if (random(2) === 0) parts.push(`sort=${pick(['', '-'], random)}${pick(fields, random).name}`)
  if (random(4) === 0) parts.push('count=exact')
  if (random(6) === 0) parts.push(`page=${pick([2, 500, 20_000], random)}`)
  if (random(3) === 0 && collection.relations.size > 0) parts.push(`expand=${[...collection.relations.keys()].join()}`)
  return get(`list ${format}`, `${path}?format=${format}&${[...new Set(parts)].join('&')}`)
}

const groups = (random: Random): DrawnRequest => {
  const { path, collection } = pick(lists, random)
  const keys = some([...keysOf(collection).keys()], 2, random)
  const measures = some([...measuresOf(collection).keys()], 3, random)
  const format = pick(['json', 'csv', 'ndjson', 'html'], random)
  const where = random(2) === 0 ? `&${filterOn(collection, random)}` : ''
  const asked = `group=${[...new Set(keys)].join()}&measure=${[...new Set(measures)].join()}`
  return get('groups', `${path}?format=${format}&maxpagesize=1000&${asked}${where}`)
}

/** Every address that is read, with things that are there, as a page for people too. */
const anAddress = (random: Random, ids: KnownIds): DrawnRequest => {
  const reads = endpoints.filter(({ method, path }) => method === 'GET' && !/\/callback|\*/.test(path))
  const { path } = pick(reads, random)
  const resource = resources.find((each) => path.startsWith(`${each.path}/`))?.name ?? 'deal'
  const filled = path.replace(/:(\w+)/g, (_, name: string) => ids.get(name === 'id' ? resource : name) ?? name)
  const accept = pick(['text/html', 'application/json', '*/*'], random)
  return get(`address ${accept}`, filled, { accept })
}

const shownMembers = (name: string): readonly string[] =>
  [...collectionNamed(schema, name).fields.values()]
    .filter(({ hidden, through }) => !hidden && !through)
    .map((each) => each.name)

const rpcBatch = (random: Random): DrawnRequest => {
  const resource = pick(resources, random)
  const method = `${resource.plural}.${pick(['list', 'list', 'get'], random)}`
  const params = method.endsWith('get') ? { id: 1 } : { limit: pick(sizes, random) }
  const count = pick([1, 20, 1000], random)
  return post(
    `rpc batch of ${count}`,
    '/rpc',
    Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params })),
  )
}

const odata = (random: Random): DrawnRequest => {
  const set = pick(['Customers', 'Deals', 'Events', 'Tasks'], random)
  const expand = { Customers: 'Deals', Deals: 'Customer' }[set as string]
  const url = `${set}?$top=${pick(sizes, random)}${random(2) === 0 && expand ? `&$expand=${expand}` : ''}${random(4) === 0 ? '&$count=true' : ''}`
  if (random(2) === 0) return get('odata list', `/odata/${url}`)
  const count = pick([20, 1000], random)
  const requests = Array.from({ length: count }, (_, id) => ({ id: String(id), method: 'get', url }))
  return post(
    `odata batch of ${count}`,
    '/odata/$batch',
    { requests },
    { ...JSON_TYPE, prefer: 'odata.continue-on-error' },
  )
}

const jsonapi = (random: Random): DrawnRequest => {
  const resource = pick(resources, random)
  const included = [...collectionOf(resource).relations.keys()]
  const include = included.length > 0 && random(2) === 0 ? `&include=${included.join()}` : ''
  return get('jsonapi list', `/jsonapi/${resource.plural}?page[size]=${pick(sizes, random)}${include}`)
}

const postgrest = (random: Random): DrawnRequest => {
  const table = pick(['customers', 'deals', 'tasks'], random)
  const embedded = { customers: 'deals(*)', deals: 'customers(*)' }[table as string]
  const select = random(2) === 0 && embedded ? `&select=*,${embedded}` : ''
  const like = random(2) === 0 ? `&name=ilike.*${encodeURIComponent(pick(words, random))}*` : ''
  return get('postgrest rows', `/postgrest/${table}?limit=${pick(sizes, random)}${select}${like}`)
}

const graphql = (random: Random): DrawnRequest => {
  const resource = pick(resources, random)
  const members = shownMembers(resource.plural)
  const times = pick([1, 20, 240], random)
  const aliases = Array.from({ length: times }, (_, nth) => `a${nth}: ${pick(members, random)}`).join(' ')
  const size = pick(sizes, random)
  const query = pick(
    [
      `{ ${resource.plural}(first: ${size}) { edges { cursor node { ${aliases} } } } }`,
      `{ ${resource.plural}(first: ${size}) { nodes { ${members.join(' ')} } totalCount } }`,
      `{ customers(first: ${size === 1000 ? 190 : size}) { nodes { deals { nodes { ${members.includes('price') ? members.join(' ') : 'id description'} } } } } }`,
      `{ deals(first: 1) { nodes { ${'...{customer{id}}'.repeat(times + 80)} } } }`,
      `{ deals(first: 1) { nodes { ${Array.from({ length: times }, (_, n) => `b${n}: customer { id name }`).join(' ')} } } }`,
      `{ __schema { types { name fields { name args { name type { name ofType { name } } } } } } }`,
    ],
    random,
  )
  return post('graphql', '/graphql', { query })
}

const mcp = (random: Random): DrawnRequest => {
  const resource = pick(resources, random)
  const params = { name: `list_${resource.plural}`, arguments: { limit: pick(sizes, random) } }
  const method = pick(['tools/call', 'tools/call', 'tools/list', 'resources/list'], random)
  return post(
    `mcp ${method}`,
    '/mcp',
    { jsonrpc: '2.0', id: 1, method, ...(method === 'tools/call' && { params }) },
    { ...JSON_TYPE, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  )
}

const kinds: readonly ((random: Random, ids: KnownIds) => DrawnRequest)[] = [
  ...[
    aList,
    aList,
    aList,
    groups,
    anAddress,
    anAddress,
    rpcBatch,
    odata,
    jsonapi,
    postgrest,
    graphql,
    graphql,
    mcp,
    aBody,
  ],
]
