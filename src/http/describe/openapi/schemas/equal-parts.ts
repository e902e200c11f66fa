import { isObject } from '../../../../values/json/is-object.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { capitalized } from '../../../../values/kinds/text.ts'
import { reference } from './schema.ts'

type Schemas = { readonly [name: string]: JsonSchema }

/** Shorter ones are as clear where they stand as by a name. */
const SHORTEST = 60

/**
 * Schemas of which several have an equal part, such as the own fields of a thing, refer to one component of it. The
 * larger parts come first: what is in them is shared too.
 */
export function* shareSchemas(closed: Schemas): Generator<undefined, Schemas> {
  const schemas = Object.fromEntries(Object.entries(closed).map(([name, schema]) => [name, opened(schema)]))
  const counts = new Map<string, { readonly name: string; readonly schema: JsonSchema; times: number }>()
  for (const [name, schema] of Object.entries(schemas)) {
    countParts(schema, name, true)
    yield
  }
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(schemas))
  for (const [text, { name, times }] of counts) if (times > 1) names.set(text, freeName(name, taken))
  const shared: Record<string, JsonSchema> = {}
  const all = Object.entries(schemas).map(([name, schema]) => [name, withReferences(schema, true)] as const)
  return { ...Object.fromEntries(all), ...shared }

  function countParts(schema: JsonSchema, place: string, isWhole = false): void {
    if (!isWhole && isPart(schema)) {
      const own = bare(schema)
      const text = JSON.stringify(own)
      const known = counts.get(text)
      if (known !== undefined) {
        known.times++
        return
      }
      counts.set(text, { name: scalarName(own) ?? place, schema: own, times: 1 })
    }
    for (const [key, each] of parts(schema)) countParts(each, `${place}${capitalized(key.replaceAll(/\W/g, ''))}`)
  }

  function withReferences(schema: JsonSchema, isWhole = false): JsonSchema {
    const name = isWhole || !isPart(schema) ? undefined : names.get(JSON.stringify(bare(schema)))
    if (name === undefined) return mapped(schema, (each) => withReferences(each))
    shared[name] ??= mapped(bare(schema), (each) => withReferences(each))
    const { description, readOnly } = schema
    return {
      ...reference(name),
      ...(description !== undefined && { description }),
      ...(readOnly !== undefined && { readOnly }),
    }
  }
}

/** A map of anything says so: without it generators take it for an object without members. */
function opened(schema: JsonSchema): JsonSchema {
  const isMap = [schema.type].flat().includes('object') && schema.properties === undefined
  return mapped(isMap ? { additionalProperties: {}, ...schema } : schema, opened)
}

const isPart = (schema: JsonSchema): boolean =>
  schema.type !== undefined && schema.const === undefined && JSON.stringify(bare(schema)).length > SHORTEST

/** Without what is said about the place, and not about the value. */
function bare({ description: _said, readOnly: _assigned, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`
  taken.add(free)
  return free
}

/** `Text200OrNull`, `InstantOrNull`, `IntegerFrom1`: by the kind of the value, wherever it was found first. */
function scalarName({ type, format, maxLength, minLength, minimum, enum: values }: JsonSchema): string | undefined {
  const types = [type].flat()
  const orNull = types.includes('null') ? 'OrNull' : ''
  if (types.includes('object') || types.includes('array') || values !== undefined) return undefined
  if (types.includes('string')) {
    const word =
      format === undefined ? `Text${maxLength}${minLength === undefined ? '' : `From${minLength}`}` : formatName(format)
    return `${word}${orNull}`
  }
  if (types.includes('integer')) return `Integer${Number(minimum) < 0 ? '' : `From${minimum}`}${orNull}`
  return types.includes('number') ? `Number${Number(minimum) < 0 ? '' : `From${minimum}`}${orNull}` : undefined
}

/** `DateTime`, `UriReference`. */
const formatName = (format: unknown): string => String(format).split('-').map(capitalized).join('')

/** The schemas that a schema consists of, by the names of their places. */
function parts(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { properties, items, additionalProperties: others, anyOf, oneOf, allOf } = schema
  const lists = [anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? (each as JsonSchema[]) : []))
  return [
    ...(isObject(properties) ? Object.entries(properties as Schemas) : []),
    ...[items, others].filter(isObject).map((each) => ['Item', each as JsonSchema] as const),
    ...lists.map((each) => ['', each] as const),
  ]
}

function mapped(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties } = schema
  const made: Record<string, unknown> = { ...schema }
  if (isObject(properties))
    made.properties = Object.fromEntries(Object.entries(properties as Schemas).map(([name, each]) => [name, map(each)]))
  for (const key of ['items', 'additionalProperties'] as const)
    if (isObject(schema[key])) made[key] = map(schema[key] as JsonSchema)
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
    if (Array.isArray(schema[key])) made[key] = (schema[key] as JsonSchema[]).map((each) => map(each))
  return made as JsonSchema
}
