import { deal } from '../../../../model/deal/deal.ts'
import { fieldOf } from '../../../../queries/collection.ts'
import { collections } from '../../../../queries/collections.ts'
import { country, currency } from '../../../../values/kinds/codes.ts'
import type { Json, JsonSchema } from '../../../../values/kinds/kind.ts'
import { type Members, objectSchema } from '../../../../values/members.ts'

// The characters that texts may have: see values/kinds/text.ts.
const CARRIED = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufffe\\uffff]*$'

/** Enumerations that are used in several places: each is a component. */
export const namedKinds: ReadonlyMap<JsonSchema, string> = new Map([
  [currency.schema, 'Currency'],
  [country.schema, 'Country'],
  [deal.kinds.stage.schema, 'Stage'],
  [deal.kinds.status.schema, 'DealStatus'],
  [fieldOf(collections.history, 'operation').kind.schema, 'OperationName'],
  [fieldOf(collections.history, 'action').kind.schema, 'Action'],
  [fieldOf(collections.history, 'type').kind.schema, 'EventType'],
  [fieldOf(collections.history, 'form').kind.schema, 'FormName'],
  [fieldOf(collections.events, 'operation').kind.schema, 'EventOperation'],
  [fieldOf(collections.commands, 'action').kind.schema, 'CommandAction'],
  [fieldOf(collections.commands, 'status').kind.schema, 'CommandStatus'],
])

const byContent = new Map([...namedKinds].map(([schema, name]) => [JSON.stringify(schema), name]))

/** The name of a shared schema; undefined if it is not shared. */
export const sharedName = (schema: JsonSchema): string | undefined => byContent.get(JSON.stringify(schema))

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** A kind's schema, completed with limits, formats and references to shared schemas. */
export function kindSchema(schema: JsonSchema): JsonSchema {
  const name = sharedName(schema)
  if (name !== undefined) return reference(name)
  const choices = schema.anyOf as readonly JsonSchema[] | undefined
  if (choices !== undefined) return orNull(kindSchema(choices[0] ?? {}))
  if (schema.type !== 'array') return limited(schema)
  const items = schema.items as JsonSchema
  // Each value of an enumeration can occur once.
  return { ...schema, items: kindSchema(items), maxItems: (items.enum as readonly Json[] | undefined)?.length ?? 1000 }
}

export function limited(schema: JsonSchema): JsonSchema {
  if (schema.type === 'integer') return { ...schema, format: 'int64' }
  // In doubles 1.11 is no multiple of 0.01, so the decimals are described in words, not by `multipleOf`.
  if (schema.type === 'number')
    return { description: 'Has at most as many decimals as its currency.', ...schema, format: 'double' }
  if (schema.type !== 'string' || schema.enum !== undefined) return schema
  const length = lengths[String(schema.format)]
  if (length !== undefined) return { ...schema, maxLength: length }
  return { maxLength: LONGEST_OWN, ...schema, pattern: carried(schema.pattern as string | undefined) }
}

/** The pattern for allowed characters, combined with the kind's own. */
const carried = (pattern: string | undefined): string =>
  pattern === undefined
    ? CARRIED
    : `${CARRIED.replace(/^\^/, '^(?=').replace(/\$$/, '$)')}${pattern.replace(/^\^/, '')}`

/** The longest text of the service's own, which has no limit by its kind. */
const LONGEST_OWN = 128

const lengths: { readonly [format: string]: number } = { date: 10, 'date-time': 29, uuid: 36 }

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [schema.type as Json, 'null'] }
}

export function membersObject(members: Members, beside: { readonly [name: string]: JsonSchema } = {}): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...beside }
  for (const [name, { kind, default: initial }] of Object.entries(members)) {
    const schema = kindSchema(kind.schema)
    properties[name] = initial === undefined ? schema : { ...schema, default: kind.write(initial) }
  }
  return objectSchema(
    properties,
    Object.keys(members).filter((name) => members[name]?.required),
  )
}

/** A member that the service assigns: a body may contain only its current value. */
export const readOnly = (schema: JsonSchema): JsonSchema => ({ ...schema, readOnly: true })

/** Text that the service writes. */
export const ownText = (maxLength: number): JsonSchema => limited({ type: 'string', maxLength })
export const addressText: JsonSchema = { type: 'string', format: 'uri-reference', maxLength: 8192 }
export const count: JsonSchema = limited({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
