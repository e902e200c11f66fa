import { type Action, type Described, idKind, vocabularyOf, wordArguments } from '../../http/describe/vocabulary.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import type { JsonSchema } from '../../values/kinds/kind.ts'
import { type Members, memberProperties, objectSchema, propertiesOf, required } from '../../values/members.ts'
import { memoize } from '../../values/memoize.ts'

export const DISCOVER = 'rpc.discover'

/** The methods as an OpenRPC document; the other spellings of an operation's name are left out. https://spec.open-rpc.org */
export const discoveredIn = bySchema((schema: Schema) => memoize((version: string) => openRpc(schema, version)))

function openRpc(schema: Schema, version: string): string {
  const vocabulary = vocabularyOf(schema)
  return JSON.stringify({
    openrpc: '1.3.2',
    info: {
      title: 'Dealdesk',
      version,
      description: 'An error has the problem as its data. Lists take what QUERY takes, see /docs/doors/rpc.',
    },
    methods: [
      ...vocabulary.flatMap(({ resource, actions }) => [
        reading(`${resource.plural}.get`, resource.name, get(resource)),
        reading(`${resource.plural}.list`, undefined, list),
        ...actions.map(operating),
      ]),
      reading('search', undefined, [param(SEARCH, { type: 'string' }, true)]),
      reading(DISCOVER, undefined, []),
    ],
    components: { schemas: Object.fromEntries(vocabulary.map((each) => [each.resource.name, thing(each)])) },
  })
}

interface Param {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const param = (name: string, schema: JsonSchema, isRequired = false): Param => ({ name, required: isRequired, schema })

const TEXT: JsonSchema = { type: 'string' }

const get = (resource: Resource): readonly Param[] => [
  ...paramsOf({ id: required(idKind(resource)) }),
  param('fields', {}),
  param('expand', {}),
]

const list: readonly Param[] = [
  param('filter', { type: 'object' }),
  ...['sort', 'fields', 'expand', 'group', 'measure'].map((name) => param(name, {})),
  param('limit', { type: 'integer', minimum: 1 }),
  ...['after', 'before', 'count', SEARCH].map((name) => param(name, TEXT)),
]

function operating({ operation: { on, name, title }, takes, leaves }: Action): object {
  const members = Object.fromEntries([...takes, ...wordArguments].map((each) => [each.name, each]))
  return {
    name: `${on.plural}.${name}`,
    summary: title,
    paramStructure: 'by-name',
    params: paramsOf(members),
    result: resultOf(leaves === 'nothing' ? undefined : on.name),
  }
}

const reading = (name: string, result: string | undefined, params: readonly Param[]): object => ({
  ...{ name, paramStructure: 'by-name', params, result: resultOf(result) },
})

const resultOf = (resource: string | undefined): object => ({
  name: resource ?? 'result',
  schema: resource === undefined ? {} : { $ref: `#/components/schemas/${resource}` },
})

/** The members of a group are one parameter. */
function paramsOf(members: Members): readonly Param[] {
  const { properties, required } = memberProperties(members)
  return Object.entries(properties).map(([name, schema]) => param(name, schema, required.includes(name)))
}

const thing = ({ shape }: Described): JsonSchema =>
  objectSchema(propertiesOf(shape, ({ member: { kind } }) => kind.schema).properties, [])
