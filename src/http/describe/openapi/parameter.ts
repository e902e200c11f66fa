import { otherNamesOf, type SettingName } from '../../../queries/settings.ts'
import type { Json } from '../../../values/json/json.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'

// The objects of parameters, by the place where they are sent.

export const query = (name: string, description: string, schema: JsonSchema, example?: Json): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example !== undefined && { example }),
})

/** A setting of queries, with its other names. */
export const setting = (name: SettingName, description: string, schema: JsonSchema): JsonSchema => {
  const others = otherNamesOf(name).map((other) => `\`${other}\``)
  return query(name, others.length === 0 ? description : `${description} Also as ${others.join(', ')}.`, schema)
}

export const header = (name: string, description: string, schema: JsonSchema, example: Json): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
  example,
})

export const path = (name: string, description: string, schema: JsonSchema, example: Json): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
})
