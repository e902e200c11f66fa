import type { Schema } from '../../../model/declaration/schema.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { SEARCH } from '../../../queries/dialects/search.ts'
import { settingNamed } from '../../../queries/settings.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { isReading } from '../../contract/route.ts'
import { path } from './parameter.ts'
import { addressedName, keyName, keysInPaths, otherName } from './parameter-components.ts'
import { filterComponents } from './schemas/filters.ts'
import { titleOf } from './schemas/item-schemas.ts'
import { kindSchema } from './schemas/schema.ts'

const refer = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` })

/** The parameters of an endpoint: in its path, its query, and its headers. */
export function parametersOf(endpoint: Endpoint, schema: Schema): readonly JsonSchema[] {
  return [...pathParameters(endpoint, schema), ...queryParameters(endpoint), ...headerParameters(endpoint)]
}

function pathParameters({ path: routed, describes }: Endpoint, schema: Schema): readonly JsonSchema[] {
  const whole = describes?.path ?? routed
  const names = [...whole.matchAll(/(\w*)\/?:(\w+)/g)]
  return names.map(([, before = '', name = ''], at) => {
    if (describes?.parameter !== undefined && at === names.length - 1) {
      const { description, schema: described, example } = describes.parameter
      return path(name, description, kindSchema(described, schema), example)
    }
    const collection = addressedBy(before, name, schema)
    return refer(collection === undefined ? addressedName(name) : keyName(collection))
  })
}

/** The collection whose key a path parameter is: `/customers/:id` is the id of a customer. */
function addressedBy(before: string, parameter: string, schema: Schema): Collection | undefined {
  const collections = collectionsOf(schema)
  if (parameter === keysInPaths.history) return collections.history
  return Object.values(collections).find(({ name }) => name === before)
}

function queryParameters({ method, parameters = [], describes, offers, snapshots }: Endpoint): readonly JsonSchema[] {
  const format = offers === 'content' ? [] : [refer('Format')]
  // Parameters that GET has in its address are described with GET, and are the content here.
  if (method === 'QUERY') return format
  const { asks } = describes ?? {}
  const owned = (name: string) => (asks === undefined ? [] : [refer(`${titleOf(asks)}${name}`)])
  if (typeof parameters === 'object') {
    const named = parameters.flatMap((name) => {
      const setting = settingNamed(name)
      const component = setting && ownNames[setting]
      if (component === undefined) return [refer(queryNames[name] ?? name)]
      return name === setting ? owned(component) : [refer(otherName(name))]
    })
    return [...named, ...format]
  }
  const paging = ['Page', 'Offset', 'MaxPageSize', 'After', 'Before', 'Count', 'Empty', 'Shown'].map(refer)
  const members = asks === undefined || asks.relations.size === 0 ? ['Fields'] : ['Fields', 'Expand']
  const own = ['Sort', ...(parameters === 'filters' ? [] : [...members, 'Group', 'Measure'])].flatMap(owned)
  const filters =
    asks === undefined ? [] : (filterComponents(asks.schema).get(asks.name) ?? []).map(([name]) => refer(name))
  if (parameters === 'filters') return [...own, ...filters, ...format]
  const live = snapshots ? [refer('Snapshot')] : []
  return [...own, ...paging, ...live, ...format, ...filters]
}

/** The own parameters of each collection. */
const ownNames: { readonly [name: string]: string } = { fields: 'Fields', expand: 'Expand' }

const queryNames: { readonly [name: string]: string } = {
  form: 'DocumentForm',
  door: 'DocumentDoor',
  tag: 'DocumentTag',
  'dry-run': 'DryRun',
  return: 'Return',
  revision: 'Revision',
  asOf: 'AsOf',
  from: 'From',
  until: 'Until',
  person: 'Person',
  pipeline: 'Pipeline',
  moveTo: 'MoveTo',
  on: 'ImportOn',
  name: 'FileName',
  create: 'CreateMissing',
  'bad-cells': 'BadCells',
  [SEARCH]: 'Search',
}

function headerParameters({ method, path, describes, live }: Endpoint): readonly JsonSchema[] {
  if (isReading(method)) {
    const validated = describes?.answers.some(({ headers }) => headers.includes('ETag'))
    if (live !== undefined) return [refer('LastEventId')]
    return validated ? ['IfNoneMatch', 'IfModifiedSince', 'IfMatch', 'IfUnmodifiedSince'].map(refer) : []
  }
  const { refuses = [], answers = [] } = describes ?? {}
  // A sign-in has no state to guard.
  if (answers.length > 0 && answers.every(({ status }) => status === 303)) return []
  return [
    ...['IfMatch', 'IfUnmodifiedSince', 'IfNoneMatch'].map(refer),
    ...(refuses.includes('idempotency-key-reused') && !path.endsWith('/:command') ? [refer('IdempotencyKey')] : []),
    refer('Prefer'),
  ]
}
