import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/**
 * The names under which generators make functions, each once: `holdDeal`, `listDeals`, `readCustomer`. An operation has
 * the name of its action in its shortest form; its other forms say which they are.
 */
export function operationIds(endpoints: readonly Endpoint[], schema: Schema): ReadonlyMap<Endpoint, string> {
  const words = wordsOf(schema)
  const ids = new Map<Endpoint, string>()
  const taken = new Set<string>()
  const give = (endpoint: Endpoint, ...candidates: readonly string[]): void => {
    const free = candidates.find((each) => !taken.has(each))
    if (free === undefined) throw new Error(`there is no name left for ${endpoint.method} ${endpoint.path}`)
    taken.add(free)
    ids.set(endpoint, free)
  }
  // Short addresses first: DELETE takes `deleteDeal` before the verb that has the same action.
  for (const endpoint of endpoints.toSorted((a, b) => segmentsOf(a).length - segmentsOf(b).length)) {
    const usual = `${verbOf(endpoint, words)}${phraseOf(endpoint, words)}`
    const operation = namedOperation(endpoint, schema)
    if (operation === undefined) give(endpoint, usual, `${usual}By${capitalized(endpoint.method.toLowerCase())}`)
    else give(endpoint, ...actionNames(endpoint, operation))
  }
  return ids
}

/** Whether a segment stands for a value. */
const isParameter = (segment: string): boolean => segment.startsWith(':')

const segmentsOf = ({ path }: Pick<Endpoint, 'path'>): readonly string[] =>
  path
    // The commands of the interface, its versions and its named queries have no need to say so.
    .replace(/^\/(rest(\/v\d+)?|query)(?=\/)/, '')
    .split(/[/.]/)
    .filter((segment) => segment !== '')

/** The words for one of a collection, by the segment that has all of them. */
const wordsOf = (schema: Schema): ReadonlyMap<string, string> =>
  new Map([
    ...Object.values(collectionsOf(schema)).map(({ name, item }) => [name, item] as const),
    ...[...schema.resources, ...schema.audited].map(({ plural, name }) => [plural, name] as const),
    ['history', 'history'],
  ])

/** `CustomerDeals`, `DealHistoryEntry`, `DealByValue`. */
function phraseOf({ method, path }: Endpoint, words: ReadonlyMap<string, string>): string {
  const segments = segmentsOf({ path })
  const phrase = segments.map((segment, at) => {
    if (isParameter(segment)) return parameterWords[`${segments[at - 1]} ${segment}`] ?? parameterWords[segment] ?? ''
    const next = segments[at + 1]
    const isOne = next === undefined ? method === 'POST' && words.has(segment) : isParameter(next) || next === 'by'
    return pascalCase(isOne ? (words.get(segment) ?? segment.replace(/s$/, '')) : segment)
  })
  return phrase.join('') || 'Home'
}

const parameterWords: { readonly [parameter: string]: string } = {
  ':n': 'Entry',
  ':target': 'Verb',
  ':value': 'Value',
  ':value :operation': 'Operation',
}

const verbs = { GET: 'read', QUERY: 'query', POST: 'post', PUT: 'put', PATCH: 'update', DELETE: 'delete' } as const

function verbOf(endpoint: Endpoint, words: ReadonlyMap<string, string>): string {
  const { method, offers, path } = endpoint
  if (method === 'GET' && (offers === 'collection' || offers === 'found')) return 'list'
  if (method === 'POST' && words.has(segmentsOf(endpoint).at(-1) ?? '')) return 'create'
  // It creates the thing that has the value, or changes it.
  if (method === 'PUT' && path.endsWith('/by/:field/:value')) return 'upsert'
  return verbs[method]
}

/** The operation that a writing address names in its last segment. */
function namedOperation({ method, describes, path }: Endpoint, schema: Schema): Operation | undefined {
  if (method === 'GET' || method === 'QUERY' || describes?.operation === undefined) return undefined
  const { operation: name } = describes
  const resource = schema.resources.find((each) => path.startsWith(`${each.path}/:id/`))
  return resource?.operations.find((each) => each.name === name)
}

/** `holdDeal`; as a participle `holdDealAsHeld`, as a noun `holdDealInHolds`. */
function actionNames(endpoint: Endpoint, { name, words }: Operation): readonly string[] {
  const action = words.action.charAt(0).toLowerCase() + words.action.slice(1)
  const last = segmentsOf(endpoint).at(-1) ?? ''
  if (last === name && endpoint.method === 'PUT') return [action, `${action}ByVerb`]
  return [`${action}${last === words.noun ? 'In' : 'As'}${pascalCase(last)}`]
}
