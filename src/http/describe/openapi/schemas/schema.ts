import { bySchema } from '../../../../model/declaration/by-schema.ts'
import type { Schema } from '../../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../../model/schema/resources.ts'
import { fieldOf } from '../../../../queries/collection.ts'
import { collectionsOf } from '../../../../queries/collections.ts'
import { isObject } from '../../../../values/json/is-object.ts'
import type { Json } from '../../../../values/json/json.ts'
import { grouped } from '../../../../values/json/places.ts'
import { country, currency } from '../../../../values/kinds/codes.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { capitalized } from '../../../../values/kinds/text.ts'
import { titlesSchema } from '../../../../values/kinds/titles.ts'
import { type Members, objectSchema, propertiesOf } from '../../../../values/members.ts'

// The characters that texts may have: see values/kinds/text.ts.
const CARRIED = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufffe\\uffff]*$'

/** Enumerations and values with parts, which are used in several places: each is a component. */
export const namedKinds = bySchema((schema: Schema): ReadonlyMap<JsonSchema, string> => {
  const { kinds } = resourceNamed(schema, 'deal')
  const { history, events, commands } = collectionsOf(schema)
  const structures = schema.resources.flatMap(({ name, structures, kinds }) =>
    structures.map((field): [JsonSchema, string] => [
      withoutNull(kinds[field]?.schema ?? {}),
      capitalized(name) + capitalized(field),
    ]),
  )
  return new Map([
    ...structures,
    [titlesSchema, 'Titles'],
    [currency.schema, 'Currency'],
    [country.schema, 'Country'],
    [kinds.stage.schema, 'Stage'],
    [kinds.status.schema, 'DealStatus'],
    [fieldOf(history, 'operation').kind.schema, 'OperationName'],
    [fieldOf(history, 'action').kind.schema, 'Action'],
    [fieldOf(history, 'type').kind.schema, 'EventType'],
    [fieldOf(history, 'form').kind.schema, 'FormName'],
    [fieldOf(events, 'operation').kind.schema, 'EventOperation'],
    [fieldOf(commands, 'action').kind.schema, 'CommandAction'],
    [fieldOf(commands, 'status').kind.schema, 'CommandStatus'],
  ])
})

/** The schema of a kind that may be null, without that. */
const withoutNull = (described: JsonSchema): JsonSchema =>
  (described.anyOf as readonly JsonSchema[] | undefined)?.[0] ?? described

const byContent = bySchema(
  (schema: Schema) => new Map([...namedKinds(schema)].map(([shared, name]) => [JSON.stringify(shared), name])),
)

/** The name of a shared schema; undefined if it is not shared. */
export const sharedName = (described: JsonSchema, schema: Schema): string | undefined =>
  byContent(schema).get(JSON.stringify(described))

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** A kind's schema, completed with limits, formats and references to shared schemas. */
export function kindSchema(described: JsonSchema, schema: Schema): JsonSchema {
  const name = sharedName(described, schema)
  if (name !== undefined) return reference(name)
  const choices = described.anyOf as readonly JsonSchema[] | undefined
  if (choices !== undefined) return orNull(kindSchema(choices[0] ?? {}, schema))
  if (described.type !== 'array') return limited(described)
  const items = described.items as JsonSchema
  const maxItems = (items.enum as readonly Json[] | undefined)?.length ?? 1000
  // Each value of an enumeration can occur once.
  return { ...described, items: kindSchema(items, schema), maxItems }
}

export function limited(schema: JsonSchema): JsonSchema {
  const types = [schema.type].flat()
  // In doubles 1.11 is not a multiple of 0.01, so the decimals are described in words, not by `multipleOf`.
  if (schema.type === 'number')
    return { description: 'Has at most as many decimals as its currency.', ...schema, format: 'double' }
  const own = types.includes('integer') ? { ...schema, format: 'int64' } : schema
  if (!types.includes('string') || schema.enum !== undefined) return own
  const length = lengths[String(schema.format)]
  if (length !== undefined) return { ...own, maxLength: length }
  return { maxLength: LONGEST_OWN, ...own, pattern: carried(schema.pattern as string | undefined) }
}

/** A schema with those of its parts. */
export function limitedWhole(schema: JsonSchema): JsonSchema {
  const { items, properties, additionalProperties: others } = schema
  return {
    ...limited(schema),
    ...(isObject(items) && { items: limitedWhole(items as JsonSchema) }),
    ...(isObject(properties) && { properties: partsOf(properties as { readonly [name: string]: JsonSchema }) }),
    ...(isObject(others) && { additionalProperties: limitedWhole(others as JsonSchema) }),
  }
}

const partsOf = (properties: { readonly [name: string]: JsonSchema }): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, limitedWhole(each)]))

/** The pattern for allowed characters, combined with the kind's own. */
const carried = (pattern: string | undefined): string =>
  pattern === undefined
    ? CARRIED
    : `${CARRIED.replace(/^\^/, '^(?=').replace(/\$$/, '$)')}${pattern.replace(/^\^/, '')}`

/** The longest text of the service's own, whose kind has no limit. */
const LONGEST_OWN = 128

const lengths: { readonly [format: string]: number } = { date: 10, 'date-time': 29, uuid: 36 }

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] }
  const { type = null, enum: values } = schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

export function membersObject(
  members: Members,
  schema: Schema,
  beside: { readonly [name: string]: JsonSchema } = {},
): JsonSchema {
  const { properties, required } = propertiesOf(
    grouped(Object.entries(members)),
    ({ member: { kind, default: initial } }) => {
      const described = kindSchema(kind.schema, schema)
      return initial === undefined ? described : withDefault(described, kind.write(initial))
    },
    ({ member }) => member.required,
  )
  return objectSchema({ ...beside, ...properties }, required)
}

/** Said in words: generators make a member with `default` one that must be sent. */
const withDefault = (described: JsonSchema, initial: Json): JsonSchema => ({
  ...described,
  description: `${described.description === undefined ? '' : `${described.description} `}If absent: \`${JSON.stringify(initial)}\`.`,
})

/** A member that the service assigns: a body may contain only its current value. */
export const readOnly = (schema: JsonSchema): JsonSchema => ({ ...schema, readOnly: true })

/** Text that the service writes. */
export const ownText = (maxLength: number): JsonSchema => limited({ type: 'string', maxLength })
export const addressText: JsonSchema = { type: 'string', format: 'uri-reference', maxLength: 8192 }
export const count: JsonSchema = limited({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** The id of a thing of any resource. */
export const anyId: JsonSchema = { anyOf: [ownText(40), count] }
